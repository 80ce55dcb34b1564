import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
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

export interface HttpClient {
  readonly origin: string;
  /** Redirects are returned, not followed. @throws HttpFailure, or the signal's reason. */
  get(path: string, signal: AbortSignal): Promise<HttpAnswer>;
  post(path: string, body: unknown, signal: AbortSignal): Promise<HttpAnswer>;
  /** Closes idle connections to a proxy. Others are kept for the next client of the process. */
  close(): void;
}

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

const defaults = { timeoutMs: 120_000, maxBytes: 64 * 1024 * 1024 };

const direct = new Map<boolean, HttpAgent>();

/** Connections without a proxy, kept for all clients of the process. An idle one does not keep the process alive. */
function directAgent(secure: boolean): HttpAgent {
  const agent = direct.get(secure) ?? new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  direct.set(secure, agent);
  return agent;
}

/** JSON over node:http(s) with keep-alive. Uses Node's certificates and `NODE_EXTRA_CA_CERTS`. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
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
  let last: { readonly path: string; readonly url: URL } | undefined;
  /** Caches the last URL: most calls use the same path. */
  const targetOf = (path: string): URL => {
    if (last?.path !== path) last = { path, url: new URL(`${root}${path}`, base) };
    return last.url;
  };
  const send = async (
    method: string,
    path: string,
    sent: { body?: Buffer; signal: AbortSignal },
  ) => {
    sent.signal.throwIfAborted();
    const target = targetOf(path);
    const call: Call = {
      start: secure ? httpsRequest : httpRequest,
      url: target,
      request: {
        method,
        agent: await openAgent(),
        headers: headersOf(options.headers, sent.body),
        ...CHECKED_TLS,
      },
      body: sent.body,
      signal: sent.signal,
      timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
      maxBytes: options.maxBytes ?? defaults.maxBytes,
    };
    return perform(call);
  };

  return {
    origin: base.origin,
    get: (path, signal) => send('GET', path, { signal }),
    post: (path, body, signal) =>
      send('POST', path, { body: Buffer.from(JSON.stringify(body)), signal }),
    close: () => {
      proxied?.then(
        (open) => open.destroy(),
        () => undefined,
      );
      proxied = undefined;
    },
  };
}

interface Call {
  readonly start: (
    url: URL,
    options: RequestOptions,
    onAnswer: (answer: IncomingMessage) => void,
  ) => ClientRequest;
  readonly url: URL;
  readonly request: RequestOptions;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
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

/** One request, without retries. */
function perform(call: Call): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let ended: unknown;
    let isAnswered = false;
    const request = call.start(call.url, call.request, (answer) => {
      isAnswered = true;
      resolve(answerOf(answer, call.maxBytes, (error) => ended ?? asFailure(error, call.url)));
    });
    const end = (reason: unknown) => {
      ended = reason;
      request.destroy();
      reject(reason);
    };
    const timer = setTimeout(() => end(timedOut(call)), call.timeoutMs);
    const onAbort = () => end(call.signal.reason);
    call.signal.addEventListener('abort', onAbort, { once: true });
    request.once('close', () => {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', onAbort);
      if (!isAnswered) reject(ended ?? asFailure(new Error('it was closed'), call.url));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      reject(ended ?? asFailure(error, call.url));
    });
    request.end(call.body);
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
    text: (textBytes) => readText(answer, Math.min(maxBytes, textBytes), failureOf),
  };
}

function readText(
  answer: IncomingMessage,
  maxBytes: number,
  failureOf: (error: unknown) => unknown,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    let isWhole = false;
    answer.on('data', (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= maxBytes) return;
      reject(tooLarge(maxBytes));
      answer.destroy();
    });
    answer.on('end', () => {
      isWhole = true;
      resolve(Buffer.concat(parts).toString('utf8'));
    });
    answer.on('error', (error) => reject(failureOf(error)));
    answer.on('close', () => {
      if (!isWhole) reject(failureOf(new Error('the response was truncated')));
    });
  });
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

const timedOut = ({ url, timeoutMs }: Call) =>
  new HttpFailure('timeout', `${url.origin} did not finish its answer within ${timeoutMs} ms.`);

function asFailure(error: unknown, url: URL): HttpFailure {
  const code = (error as NodeJS.ErrnoException).code;
  const why = code ?? (error instanceof Error ? error.message : String(error));
  return new HttpFailure('network', `The connection to ${url.origin} failed: ${why}.`, code, {
    cause: error,
  });
}
