import { request } from 'node:http';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../errors/usage.ts';

export interface PostOptions {
  readonly token: string;
  /** The idempotency key. */
  readonly key: string;
  readonly body: unknown;
}

const DEADLINE_MS = 30_000;
const MAX_CHARS = 1024 * 1024;

/** Sends a document to the server. @throws AppError `USAGE` with what the server answers, or if it does not answer. */
export function postJson(
  url: string,
  { token, key, body }: PostOptions,
): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => reject(usage(problem));
    const sent = request(
      url,
      {
        method: 'POST',
        timeout: DEADLINE_MS,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > MAX_CHARS) sent.destroy(new Error('its answer is too long'));
        });
        response.on('end', () => {
          const document = parse(text);
          if (response.statusCode === 202) resolve(document);
          else
            fail(printable(String(document['detail'] ?? `status ${response.statusCode}`), 2_000));
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('it did not answer in time')));
    sent.on('error', ({ message }) => fail(`The server at ${url} failed: ${message}.`));
    sent.end(JSON.stringify(body));
  });
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
