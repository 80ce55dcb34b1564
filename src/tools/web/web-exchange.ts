import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AppError, messageOf } from '../../contract/errors.ts';
import { CHECKED_TLS } from '../../llm/http/proxies.ts';
import { failure, inTime, orAborted, type ToolCall, throwIfAborted } from '../define/call.ts';
import { authorized, type Service, serviceProblem, withoutCredential } from './authorize.ts';
import { ACCEPTED_ENCODINGS, type Body, readBody } from './decode-body.ts';
import { urlProblem } from './web-address.ts';
import { type Route, routeTo } from './web-route.ts';

const MAX_REDIRECTS = 5;
/** Only so much of a longer answer is read, in decoded bytes. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
const USER_AGENT = 'capstan';

/** Headers with credentials. They are not sent to another origin. */
const credentialHeaders =
  /^(authorization|cookie|proxy-.*|x-api-key|api-key|.*token.*|.*secret.*)$/i;

export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Only so much of the answer is kept. */
  readonly maxBytes: number;
  /** The service whose credential is used. */
  readonly service?: Service | undefined;
  /** The body is read when it resolves. Default: at once. */
  readonly beforeBody?: () => Promise<unknown>;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly finalUrl: URL;
}

/**
 * Sends one request and follows redirects on the same host. Each hop is resolved once, checked, and sent to the checked
 * address.
 *
 * @throws AppError `TOOL_FAILED`, `TOOL_TIMED_OUT`, `CANCELLED`.
 */
export async function exchange(request: WebRequest, call: ToolCall): Promise<WebAnswer> {
  throwIfAborted(call);
  try {
    return await inTime(call, (signal) => followed(request, signal, call));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw failure(call, `${request.url.host}: ${messageOf(error)}`, error);
  }
}

async function followed(
  first: WebRequest,
  signal: AbortSignal,
  call: ToolCall,
): Promise<WebAnswer> {
  let request = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    using route = await orAborted(routeTo(request.url, call), signal);
    const answer = await send(request, route, signal);
    const target = redirectOf(answer, request);
    if (target === undefined) return await received(answer, request, signal);
    answer.destroy();
    assertSameHost(request.url, target, call);
    request = redirected(request, target, answer.statusCode ?? 0);
    assertOfService(request, call);
  }
  throw failure(call, `${first.url.host} redirects more than ${MAX_REDIRECTS} times`);
}

/** A redirect of a service must be a request that the service allows. */
function assertOfService({ service, ...request }: WebRequest, call: ToolCall): void {
  const problem = service && serviceProblem(service, request);
  if (problem !== undefined) {
    throw failure(call, `the answer is a redirect that was not followed: ${problem}`);
  }
}

function redirectOf(
  { statusCode = 0, headers }: IncomingMessage,
  { url, service }: WebRequest,
): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (!isRedirect || headers.location === undefined) return undefined;
  return withoutCredential(new URL(headers.location, url), service);
}

/** The decision covers neither another host nor a downgrade from https: the capsule can request that URL itself. */
function assertSameHost(from: URL, to: URL, call: ToolCall): void {
  const problem = urlProblem(to);
  if (problem !== undefined) {
    throw failure(call, `${from.host} redirects to an address that can't be requested: ${problem}`);
  }
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && to.port === '';
  const isSame =
    from.origin === to.origin || (isUpgrade && from.hostname === to.hostname && from.port === '');
  if (isSame) return;
  throw failure(call, `${from.host} redirects to ${to.href}; request that URL if you need it`);
}

function redirected(request: WebRequest, url: URL, status: number): WebRequest {
  const isOtherOrigin = url.origin !== request.url.origin;
  const kept = Object.entries(request.headers).filter(
    ([name]) => !isOtherOrigin || !credentialHeaders.test(name),
  );
  const headers = Object.fromEntries(kept);
  const turnsToGet =
    status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  if (!turnsToGet) return { ...request, url, headers };
  return { ...request, url, headers, method: 'GET', body: undefined };
}

function send(
  { method, body, service, ...request }: WebRequest,
  route: Route,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url, headers } = authorized(request, service);
  const options: RequestOptions = {
    method,
    headers: {
      'user-agent': USER_AGENT,
      accept: '*/*',
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    signal,
    ...CHECKED_TLS,
    ...route.options,
  };
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asking = open(url, options, resolve).once('error', reject);
    // Otherwise the proxy's own answer would be taken for the host's.
    asking.once('proxyConnect', ({ statusCode }: { statusCode: number }) => {
      if (statusCode === 200) return;
      asking.destroy(new Error(`the proxy answers ${statusCode}`));
    });
    asking.end(body);
  });
}

async function received(
  answer: IncomingMessage,
  { url, maxBytes, method, beforeBody }: WebRequest,
  signal: AbortSignal,
): Promise<WebAnswer> {
  if (beforeBody) await orAborted(beforeBody(), signal);
  const encoding = method === 'HEAD' ? undefined : answer.headers['content-encoding'];
  const limits = { keepBytes: maxBytes, countBytes: MAX_COUNTED_BYTES };
  const body = await orAborted(readBody(answer, encoding, limits), signal);
  const entries = Object.entries(answer.headers);
  const headers = Object.fromEntries(
    entries.map(([name, value]) => [name, [value].flat().join('\n')]),
  );
  return { status: answer.statusCode ?? 0, headers, body, finalUrl: url };
}
