import { dropToken, token } from './token.ts';

/** An error response of the server (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  /** The stable code of the error, or `OFFLINE` if the server did not answer. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
  }
}

const DEADLINE_MS = 30_000;
/** For the whole content of a file. */
export const DOWNLOAD_MS = 600_000;

interface Sent {
  /** Default: 30,000. */
  readonly deadlineMs?: number;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request with the token. @throws Problem */
export async function send(
  path: string,
  { method = 'GET', body, headers, deadlineMs = DEADLINE_MS }: Sent = {},
): Promise<Response> {
  const isJson = body !== undefined;
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token.read()}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(deadlineMs),
    ...(isJson && { body: JSON.stringify(body) }),
  }).catch(() => {
    const words = 'Capstan does not respond. Check that `capstan serve` is running.';
    throw new Problem(0, 'OFFLINE', words);
  });
  if (response.status === 401) dropToken();
  if (response.ok) return response;
  const { code = 'UNKNOWN', detail } = await response.json().catch(() => ({}));
  throw new Problem(
    response.status,
    code,
    detail ?? `The server answered with ${response.status}.`,
  );
}

/** A path with its values encoded. */
export const path = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string => String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/**
 * Sends one request, and reads its answer.
 *
 * @param path Path below `/api/v1`, for example `/runs`.
 * @throws Problem
 */
export const request = async <Answer>(path: string, sent: Sent): Promise<Answer> =>
  (await send(path, sent)).json();

/** Sends a GET request. @throws Problem */
export const get = <Answer>(path: string): Promise<Answer> => request(path, {});
/** Sends a POST request. @throws Problem */
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
  request(path, { method: 'POST', body });
