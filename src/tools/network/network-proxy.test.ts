import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import type { ToolContext } from '../define/tool.ts';
import { type NetworkProxy, openNetworkProxy } from './network-proxy.ts';

let scratch: Scratch;
const servers: Server[] = [];
const proxies: NetworkProxy[] = [];
const sockets: Socket[] = [];
beforeEach(() => {
  scratch = createScratch();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const proxy of proxies.splice(0)) await proxy[Symbol.asyncDispose]();
  for (const server of servers.splice(0)) server.close();
  scratch[Symbol.dispose]();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
/** A server of bytes that may half-close its side. */
const serveBytes = (listener: (socket: Socket) => void) =>
  listen(
    createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket.on('error', () => undefined));
      listener(socket);
    }),
  );
const serve = (listener: RequestListener) => listen(createHttpServer(listener));

/** The proxy of one call that may reach these loopback ports, and a client for it. */
async function proxyTo(port: number, changes: Partial<ToolContext> = {}) {
  const host = `127.0.0.1:${port}`;
  const privateOrigins = new Set([`http://${host}`]);
  const context = scratch.context({ privateOrigins, ...changes });
  const proxy = await openNetworkProxy([new URL(`http://${host}`)], { tool: 'terminal', context });
  proxies.push(proxy);
  const enter = async (): Promise<Socket> => {
    const socket = connect({ path: proxy.socketPath, allowHalfOpen: true });
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    return socket.on('error', () => undefined);
  };
  return { host, proxy, enter };
}

/** All bytes until the other side half-closes; this side stays open. */
const text = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let all = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      all += part;
    });
    socket.once('end', () => resolve(all)).once('error', reject);
  });

const CONNECT = (host: string) => `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
const LONG = 'x'.repeat(3_000_000);

describe('the tunnel of a command', () => {
  it('returns the complete answer to a client that has half-closed', async () => {
    const port = await serveBytes((socket) => {
      void text(socket).then((asked) => socket.end(`${asked.length} ${LONG}`));
    });
    const { host, enter } = await proxyTo(port);
    const client = await enter();
    client.end(`${CONNECT(host)}${LONG}`);
    const answer = await text(client);
    expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(`${LONG.length} ${LONG}`.length);
    expect(answer).toContain(`\r\n\r\n${LONG.length} x`);
  });

  it('passes on what came with the request of a client that has half-closed', async () => {
    const port = await serveBytes((socket) => {
      void text(socket).then((asked) => socket.end(`got ${asked}`));
    });
    const { host, enter } = await proxyTo(port);
    const client = await enter();
    client.end(`${CONNECT(host)}ping`);
    expect(await text(client)).toContain('\r\n\r\ngot ping');
  });

  it('sends everything from a client to a server that has half-closed', async () => {
    let received = (_text: string) => {};
    const whole = new Promise<string>((resolve) => {
      received = resolve;
    });
    const port = await serveBytes((socket) => {
      socket.end('enough\n');
      void text(socket).then(received);
    });
    const { host, enter } = await proxyTo(port);
    const client = await enter();
    client.write(CONNECT(host));
    expect(await text(client)).toContain('enough');
    client.end(LONG);
    expect((await whole).length).toBe(LONG.length);
  });

  it.each([
    ['the server', (_client: Socket, server: Socket) => server.resetAndDestroy()],
    ['the client', (client: Socket) => client.destroy()],
    ['the call', (_client: Socket, _server: Socket, close: () => void) => close()],
  ])('is closed for both if %s disconnects', async (_who, breakOff) => {
    let reached = (_socket: Socket) => {};
    const connected = new Promise<Socket>((resolve) => {
      reached = resolve;
    });
    const port = await serveBytes((socket) => {
      socket.write('begun\n');
      socket.resume();
      reached(socket);
    });
    const { host, proxy, enter } = await proxyTo(port);
    const client = await enter();
    client.write(CONNECT(host));
    const server = await connected;
    const closed = [client, server].map(
      (one) => new Promise((resolve) => one.once('close', resolve)),
    );
    client.resume().once('end', () => client.end());
    server.once('end', () => server.end());
    breakOff(client, server, () => void proxy[Symbol.asyncDispose]());
    await Promise.all(closed);
  });
});

describe('a plain request of a command', () => {
  const ask = async (port: number, changes?: Partial<ToolContext>): Promise<string> => {
    const { host, enter } = await proxyTo(port, changes);
    const client = await enter();
    client.write(`GET http://${host}/ HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    return text(client);
  };

  it('gets nothing after a truncated answer', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('the beginning', () => response.destroy());
    });
    const answer = await ask(port).catch(() => 'broken off');
    expect(answer).toMatch(/^broken off$|^HTTP\/1\.1 200 [\s\S]*the beginning$/);
  });

  it('gets nothing after an answer that begins before its body was read', async () => {
    let server: Socket | undefined;
    const port = await serveBytes((socket) => {
      server = socket;
      socket.once('data', () =>
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 1000\r\n\r\nthe beginning'),
      );
    });
    const { host, enter } = await proxyTo(port);
    const client = await enter();
    const head = `POST http://${host}/ HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${LONG.length}`;
    client.write(`${head}\r\n\r\n${LONG.slice(1)}`);
    client.once('data', () => server?.resetAndDestroy());
    const answer = await text(client).catch(() => 'broken off');
    expect(answer).toMatch(/^broken off$|^HTTP\/1\.1 413 [\s\S]*the beginning$/);
  });

  it.each(['000', '099'])('survives an answer with the status %s', async (status) => {
    const port = await serveBytes((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`));
    });
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 403 [\s\S]*[Ii]nvalid status code/);
  });

  it('does not reach a public address of this machine, in any way', async () => {
    const own = {
      privateOrigins: new Set<string>(),
      ownAddresses: () => ['93.184.215.14'],
      resolveName: async () => [{ address: '93.184.215.14', family: 4 }],
    };
    const call = { tool: 'terminal', context: scratch.context(own) };
    const proxy = await openNetworkProxy([new URL('http://example.com')], call);
    proxies.push(proxy);
    const said = async (request: string) => {
      const client = connect({ path: proxy.socketPath, allowHalfOpen: true });
      sockets.push(client);
      client.write(request);
      return text(client);
    };
    const plain =
      'GET http://example.com/ HTTP/1.1\r\nhost: example.com\r\nconnection: close\r\n\r\n';
    expect(await said(plain)).toContain('an address of this machine');
    expect(await said(CONNECT('example.com:80'))).toContain('an address of this machine');
  });
});
