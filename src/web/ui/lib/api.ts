import { dropToken, readToken } from './token.ts';

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

/**
 * Sends one request to the server.
 *
 * @param path Path below `/api/v1`, for example `/runs`.
 * @throws Problem
 */
export async function request<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${readToken()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Problem(
      0,
      'OFFLINE',
      `Capstan does not respond (${String(error)}). Check that \`capstan serve\` is running.`,
    );
  });
  if (response.status === 401) dropToken();
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string;
    detail?: string;
    title?: string;
  };
  const words = body.detail ?? body.title ?? `The server answered with ${response.status}.`;
  return new Problem(response.status, body.code ?? 'UNKNOWN', words);
}

/** Sends a GET request. @throws Problem */
export const get = <Answer>(path: string): Promise<Answer> => request('GET', path);
/** Sends a POST request. @throws Problem */
export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> =>
  request('POST', path, body);
