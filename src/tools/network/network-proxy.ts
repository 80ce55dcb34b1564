import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf } from '../../errors.ts';
import { lookUpAmong } from '../addresses.ts';
import { failure, type Reach } from '../reach.ts';
import { routeTo } from '../web-route.ts';
import { asOpened, dial } from './dial.ts';
import { hostAndPort } from './network-hosts.ts';
import { createNetworkLog, type NetworkLog, type NetworkUse } from './network-log.ts';

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 16 * 1024;

/** The only way out of the sandbox of one call. */
export interface NetworkProxy extends AsyncDisposable {
  /** Absolute; a Unix socket that only this user can reach. */
  readonly socketPath: string;
  /** What was reached, and what was refused. */
  uses(): readonly NetworkUse[];
}

interface Gate {
  readonly allowed: ReadonlySet<string>;
  readonly log: NetworkLog;
  readonly reach: Reach;
}

/**
 * Opens an HTTP proxy on a Unix socket that leads to the named hosts and nowhere else. What goes through a tunnel is not looked at.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function openNetworkProxy(hosts: readonly URL[], reach: Reach): Promise<NetworkProxy> {
  const folder = await mkdtemp(join(tmpdir(), `capstan-net-${process.pid}-`));
  const socketPath = join(folder, 'proxy');
  const log = createNetworkLog();
  const gate = { allowed: new Set(hosts.map(hostAndPort)), log, reach };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  server.maxConnections = MAX_CONNECTIONS;
  const open = new Set<Duplex>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => undefined);
  });
  server.on('connect', (request, socket, head) => void tunnel(request, { socket, head }, gate));
  server.on('request', (request, response) => void forward(request, response, gate));
  const close = async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(server, socketPath);
  } catch (error) {
    await close();
    throw failure(reach, `its way to the network can't be made: ${messageOf(error)}`, error);
  }
  return { socketPath, uses: log.uses, [Symbol.asyncDispose]: close };
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

interface Near {
  readonly socket: Duplex;
  /** What came behind the request. */
  readonly head: Buffer;
}

async function tunnel(
  { url = '' }: IncomingMessage,
  { socket, head }: Near,
  gate: Gate,
): Promise<void> {
  const target = URL.canParse(`https://${url}`) ? new URL(`https://${url}`) : undefined;
  const refuse = (why: string) => {
    gate.log.refused(target ? hostAndPort(target) : url, why);
    const body = `${why}\n`;
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  if (target === undefined || !isAllowed(target, gate)) return refuse(NOT_NAMED);
  try {
    const far = await dial(target, gate.reach);
    const count = gate.log.reached(hostAndPort(target));
    if (socket.destroyed) return void far.destroy();
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) far.write(head);
    socket.on('data', (chunk: Buffer) => count.sent(chunk.length));
    far.on('data', (chunk: Buffer) => count.received(chunk.length));
    count.sent(head.length);
    pipeline(socket, far, () => far.destroy());
    pipeline(far, socket, () => socket.destroy());
  } catch (error) {
    refuse(messageOf(error));
  }
}

const NOT_NAMED = 'Its host and port are not among those that this call may reach.';

const isAllowed = (target: URL, { allowed }: Gate): boolean =>
  target.username === '' && target.password === '' && allowed.has(hostAndPort(target));

/** A request for an absolute http URL. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  gate: Gate,
): Promise<void> {
  const { url: text = '', method = 'GET' } = request;
  const target = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) => {
    gate.log.refused(target ? hostAndPort(target) : text, why);
    if (!response.headersSent) response.writeHead(403, { connection: 'close' });
    response.end(`${why}\n`);
  };
  if (target === undefined || !isAllowed(target, gate)) return refuse(NOT_NAMED);
  try {
    const route = await routeTo(asOpened(target, gate.reach), gate.reach);
    const count = gate.log.reached(hostAndPort(target));
    const far = httpRequest(target, {
      method,
      headers: { ...framed(request.headers), host: target.host },
      ...(route.kind === 'proxy'
        ? { agent: route.agent }
        : { agent: false, lookup: lookUpAmong(route.addresses) }),
    });
    far.once('error', (error) => refuse(messageOf(error)));
    far.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      answer.on('data', (chunk: Buffer) => count.received(chunk.length));
      pipeline(answer, response, () => undefined);
    });
    response.once('close', () => {
      far.destroy();
      if (route.kind === 'proxy') route.agent.destroy();
    });
    request.on('data', (chunk: Buffer) => count.sent(chunk.length));
    request.pipe(far);
  } catch (error) {
    refuse(messageOf(error));
  }
}

/**
 * A body keeps its length, or goes out in chunks whatever the method: one that nothing marks off would be the next
 * request to whoever keeps the connection.
 */
function framed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  const rest = endToEnd(headers);
  if (encoding !== undefined) return { ...rest, 'transfer-encoding': 'chunked' };
  return length === undefined ? rest : { ...rest, 'content-length': length };
}

/** Headers that speak of the connection and not of the message (RFC 9110, 7.6.1). */
const ofConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.test(name) && !named.includes(name)),
  );
}
