import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { codeOf } from '../../platform/try-or.ts';
import { CHECKED_TLS, type Proxies, proxyAgent, proxyFor } from './proxies.ts';

export interface HttpClientOptions {
  /** http(s) URL that paths are appended to. */
  readonly baseUrl: string;
  /** Sent with every request, to this origin only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly proxies?: Proxies | undefined;
  /** From the start of the request to the last byte of the response. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of a response, in bytes. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

type Limits = Readonly<Record<'timeoutMs' | 'maxBytes', number>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Lower case, without parameters. */
  readonly contentType: string;
  /** The body, in chunks as they arrive. Leaving the loop early closes the connection, unless the body ends within 50 ms. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  /** The whole body, instead of `chunks`. @throws HttpFailure `too_large` past `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

/** There was no response, or an incomplete one. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly kind: 'network' | 'timeout' | 'too_large';
  /** Node's error code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;

  constructor(kind: HttpFailure['kind'], message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

const defaults: Limits = { timeoutMs: 120_000, maxBytes: 64 * 1024 * 1024 };

const direct = new Map<boolean, HttpAgent>();

/** Connections without a proxy, kept for all clients of the process. An idle one does not keep the process alive. */
function directAgent(secure: boolean): HttpAgent {
  const agent = direct.get(secure) ?? new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  direct.set(secure, agent);
  return agent;
}

/** JSON over node:http(s) with keep-alive. Uses Node's certificates and `NODE_EXTRA_CA_CERTS`. */
export function createHttpClient(options: HttpClientOptions) {
  const base = new URL(options.baseUrl);
  const root = base.pathname.replace(/\/+$/, '');
  const proxy = proxyFor(base, options.proxies ?? {});
  const secure = base.protocol === 'https:';
  let proxied: Promise<HttpAgent> | undefined;
  const openAgent = (): HttpAgent | Promise<HttpAgent> => {
    if (proxy === undefined) return directAgent(secure);
    proxied ??= proxyAgent(base, proxy);
    return proxied;
  };
  const send = async (method: string, path: string, signal: AbortSignal, body?: Buffer) => {
    signal.throwIfAborted();
    const headers = headersOf(options.headers, body);
    const request = { method, agent: await openAgent(), headers, signal, ...CHECKED_TLS };
    return perform(new URL(`${root}${path}`, base), request, {
      body,
      timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
      maxBytes: options.maxBytes ?? defaults.maxBytes,
    });
  };
  return {
    origin: base.origin,
    /** Redirects are returned, not followed. @throws HttpFailure, or the signal's reason. */
    get: (path: string, signal: AbortSignal) => send('GET', path, signal),
    post: (path: string, body: unknown, signal: AbortSignal) =>
      send('POST', path, signal, Buffer.from(JSON.stringify(body))),
    /** Closes idle connections to a proxy. Others are kept for the next client of the process. */
    close: () => {
      proxied?.then(
        (open) => open.destroy(),
        () => undefined,
      );
      proxied = undefined;
    },
  };
}

function headersOf(own: Readonly<Record<string, string>> | undefined, body: Buffer | undefined) {
  return {
    accept: 'application/json, text/event-stream, application/x-ndjson',
    'accept-encoding': 'identity',
    'user-agent': 'capstan',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': body.length }),
    ...own,
  };
}

function perform(
  url: URL,
  { signal, ...request }: RequestOptions & { readonly signal: AbortSignal },
  { body, timeoutMs, maxBytes }: Limits & { readonly body: Buffer | undefined },
): Promise<HttpAnswer> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let ended: unknown;
    let isAnswered = false;
    const failureOf = (error: unknown) => ended ?? asFailure(error, url);
    const sent = start(url, request, (answer) => {
      isAnswered = true;
      resolve(answerOf(answer, maxBytes, failureOf));
    });
    const end = (reason: unknown) => {
      ended = reason;
      sent.destroy();
      reject(reason);
    };
    const timer = setTimeout(() => end(timedOut(url, timeoutMs)), timeoutMs);
    const onAbort = () => end(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    sent.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (!isAnswered) reject(failureOf(new Error('it was closed')));
    });
    sent.on('error', (error) => reject(failureOf(error)));
    sent.end(body);
  });
}

function answerOf(
  answer: IncomingMessage,
  maxBytes: number,
  failureOf: (error: unknown) => unknown,
): HttpAnswer {
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    contentType: (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    chunks: readChunks(answer, maxBytes, failureOf),
    async text(textBytes) {
      const parts: Buffer[] = [];
      const chunks = readChunks(answer, Math.min(maxBytes, textBytes), failureOf);
      for await (const chunk of chunks) parts.push(chunk);
      return Buffer.concat(parts).toString('utf8');
    },
  };
}

async function* readChunks(
  answer: IncomingMessage,
  maxBytes: number,
  failureOf: (error: unknown) => unknown,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  try {
    const iterator = answer.iterator({ destroyOnReturn: false });
    for await (const chunk of iterator as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof HttpFailure ? error : failureOf(error);
  } finally {
    leave(answer);
  }
}

/** How long to wait for the end of a body that is no longer read: a stream ends shortly after its last event. */
const LEAVE_MS = 50;

/** Reads the rest of the response, so that the connection can be reused. */
function leave(answer: IncomingMessage): void {
  if (answer.readableEnded || answer.destroyed) return;
  const timer = setTimeout(() => answer.destroy(), LEAVE_MS);
  answer.once('close', () => clearTimeout(timer));
  answer.on('error', () => undefined);
  answer.resume();
}

const tooLarge = (maxBytes: number) =>
  new HttpFailure('too_large', `The response exceeds ${maxBytes} bytes.`);

const timedOut = (url: URL, timeoutMs: number) =>
  new HttpFailure('timeout', `${url.origin} did not finish its answer within ${timeoutMs} ms.`);

function asFailure(error: unknown, url: URL): HttpFailure {
  const code = codeOf(error);
  const why = code ?? (error instanceof Error ? error.message : String(error));
  return new HttpFailure('network', `The connection to ${url.origin} failed: ${why}.`, code, {
    cause: error,
  });
}
