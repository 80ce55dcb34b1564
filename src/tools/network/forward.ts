import { once } from 'node:events';
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf } from '../../contract/errors.ts';
import { CHECKED_TLS } from '../../llm/http/proxies.ts';
import type { ToolCall } from '../define/call.ts';
import { hostOf } from '../web/addresses.ts';
import { routeTo } from '../web/web-route.ts';
import { type Gate, NOT_NAMED } from './gate.ts';
import { hostAndPort, portOf } from './network-hosts.ts';

/** Answers a request for an absolute http URL. If an answer fails after it has begun, the connection is closed. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  gate: Gate,
): Promise<void> {
  const { url: text = '' } = request;
  const target = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) => {
    if (response.writableEnded) return;
    if (response.headersSent) return void response.destroy();
    gate.refuse(target ?? text, why);
    response.writeHead(403, { connection: 'close' }).end(`${why}\n`);
  };
  if (target === undefined || !gate.isAllowed(target)) return refuse(NOT_NAMED);
  try {
    await passOn(target, { request, response, refuse }, gate);
  } catch (error) {
    refuse(messageOf(error));
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  refuse(why: string): void;
}

async function passOn(target: URL, { request, response, refuse }: Exchange, gate: Gate) {
  const route = await routeTo(asOpened(target, gate.call), gate.call);
  if (response.destroyed) return route[Symbol.dispose]();
  const far = httpRequest(target, {
    method: request.method ?? 'GET',
    headers: { ...framed(request.headers), host: target.host },
    ...route.options,
  });
  far.on('error', (error) => refuse(messageOf(error)));
  far.once('response', (answer) => {
    gate.count(target, 'received', answer);
    passBack(answer, { request, response, refuse });
  });
  response.once('close', () => {
    far.destroy();
    route[Symbol.dispose]();
  });
  gate.count(target, 'sent', request);
  request.pipe(far);
}

/** An invalid answer, such as one with status 99, must not throw in an event handler. */
function passBack(answer: IncomingMessage, { response, refuse }: Exchange): void {
  try {
    response.writeHead(answer.statusCode ?? 0, endToEnd(answer.headers));
    pipeline(answer, response, () => undefined);
  } catch (error) {
    answer.destroy();
    refuse(messageOf(error));
  }
}

/** Keeps the length of a body, or sends it in chunks. A body without either could be read as the next request. */
function framed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  const rest = endToEnd(headers);
  if (encoding !== undefined) return { ...rest, 'transfer-encoding': 'chunked' };
  return length === undefined ? rest : { ...rest, 'content-length': length };
}

/** Headers of the connection, not of the message (RFC 9110, 7.6.1). */
const ofConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.test(name) && !named.includes(name)),
  );
}

/**
 * Answers a CONNECT request. Tunnelled data is not inspected.
 *
 * @param head Data that came after the request.
 */
export async function tunnel(
  { url = '' }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  gate: Gate,
): Promise<void> {
  const target = URL.canParse(`https://${url}`) ? new URL(`https://${url}`) : undefined;
  const refuse = (why: string) => {
    gate.refuse(target ?? url, why);
    const body = `${why}\n`;
    // Further data is read and dropped, so that the end of the stream is seen.
    socket
      .resume()
      .end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  if (target === undefined || !gate.isAllowed(target)) return refuse(NOT_NAMED);
  try {
    const far = await dial(target, gate.call);
    if (socket.destroyed) return void far.destroy();
    gate.hold(far);
    gate.count(target, 'sent', socket, head.length);
    gate.count(target, 'received', far);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) far.write(head);
    pipeInto(socket, far);
    pipeInto(far, socket);
  } catch (error) {
    refuse(messageOf(error));
  }
}

/** Each side may end its stream alone and still receives the rest of the other. If one side fails, both are closed. */
function pipeInto(one: Duplex, other: Duplex): void {
  one.pipe(other);
  one.on('error', () => other.destroy());
  one.once('close', () => {
    if (!one.readableEnded || !one.writableFinished) other.destroy();
  });
}

/** Time limit for connecting, in milliseconds. */
const DIAL_MS = 15_000;

/**
 * Connects to a host like the web tools do: the name is resolved once, its addresses must be public or opened by the
 * person, and the user's proxy is used. The socket is half-open: either side may end its stream alone.
 *
 * @throws AppError `TOOL_FAILED`, Error.
 */
async function dial(target: URL, call: ToolCall): Promise<Socket> {
  const url = asOpened(target, call);
  using route = await routeTo(url, call);
  if (route.proxy !== undefined) return tunnelled(url, route.proxy);
  const { lookup } = route.options;
  const address = { host: hostOf(url), port: portOf(url), ...(lookup && { lookup }) };
  return connected(connect({ ...address, timeout: DIAL_MS, allowHalfOpen: true }));
}

/** The URL with the scheme that the person opened its host with: the protocol of a connection is not known. */
function asOpened(url: URL, { context }: ToolCall): URL {
  const port = portOf(url);
  const candidates = ['http', 'https'].map(
    (scheme) => new URL(`${scheme}://${url.hostname}:${port}`),
  );
  return candidates.find(({ origin }) => context.privateOrigins.has(origin)) ?? url;
}

async function connected(socket: Socket): Promise<Socket> {
  socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
  await once(socket, 'connect');
  return socket.setTimeout(0);
}

function tunnelled(url: URL, proxy: string): Promise<Socket> {
  const at = new URL(proxy);
  const path = hostAndPort(url);
  const name = `${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`;
  const authorization = `Basic ${Buffer.from(name).toString('base64')}`;
  const headers = {
    host: path,
    ...(name === ':' ? {} : { 'proxy-authorization': authorization }),
  };
  const open = at.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const connection = { agent: false, timeout: DIAL_MS, ...CHECKED_TLS } as const;
    const asking = open(at, { method: 'CONNECT', path, headers, ...connection });
    asking.once('error', reject);
    asking.once('timeout', () => asking.destroy(new Error('the proxy does not answer')));
    asking.once('connect', ({ statusCode }, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      socket.allowHalfOpen = true;
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answers ${statusCode}`));
    });
    asking.end();
  });
}
