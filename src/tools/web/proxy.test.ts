import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { httpApi } from '../http-api.ts';
import { webFetch } from '../web-fetch.ts';

let scratch: Scratch;
const servers: Server[] = [];
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => {
  scratch[Symbol.dispose]();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serve = (listener: RequestListener) => listen(createServer(listener));

const resolveName = async () => [{ address: '93.184.215.14', family: 4 }];
const unresolvable = () => Promise.reject(new Error('ENOTFOUND'));

describe('requests through the proxy of the person', () => {
  /** A proxy that answers plain requests itself, and records them. */
  async function proxy() {
    const asked: string[] = [];
    const server = createServer((request: IncomingMessage, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('by proxy');
    });
    server.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    return { asked, origin: await listen(server) };
  }

  it('carry the whole address for http, and open a tunnel for https', async () => {
    const { asked, origin } = await proxy();
    const proxies = { http: origin, https: origin };
    const context = { proxies, resolveName };
    expect(await scratch.ask(httpApi, { url: 'http://example.com/a?b=1' }, context)).toMatchObject({
      body: 'by proxy',
    });
    await expect(scratch.ask(webFetch, { url: 'https://example.com/a' }, context)).rejects.toThrow(
      /the proxy answers 403/,
    );
    expect(asked).toEqual(['GET http://example.com/a?b=1', 'CONNECT example.com:443']);
  });

  it("are made if this machine can't resolve names at all", async () => {
    const { origin } = await proxy();
    const context = { proxies: { http: origin }, resolveName: unresolvable };
    const answer = await scratch.ask(httpApi, { url: 'http://example.com/' }, context);
    expect(answer).toMatchObject({ body: 'by proxy' });
  });

  it.each([
    ['a private address', 'http://10.0.0.1/'],
    ['the metadata address in decimal', 'http://2852039166/'],
    ['an IPv6 disguise', 'http://[::ffff:a9fe:a9fe]/'],
    ['a host without a domain', 'http://intranet/'],
    ['a name of the cloud', 'http://metadata.google.internal/'],
    ['a name of the cloud with a dot', 'http://metadata.google.internal./'],
    ['this machine by another name', 'http://a.localhost/'],
  ])('are not made for %s', async (_what, url) => {
    const { asked, origin } = await proxy();
    const context = { proxies: { http: origin }, resolveName: unresolvable };
    await expect(scratch.ask(httpApi, { url }, context)).rejects.toThrow(
      /(?:not a|no) public (name|address)/,
    );
    expect(asked).toEqual([]);
  });

  it('are not made for a name that this machine resolves to a private address', async () => {
    const { asked, origin } = await proxy();
    const context = {
      proxies: { http: origin },
      resolveName: async () => [{ address: '192.168.1.1', family: 4 }],
    };
    await expect(scratch.ask(httpApi, { url: 'http://example.com/' }, context)).rejects.toThrow(
      /not a public address \(192.168.1.1\)/,
    );
    expect(asked).toEqual([]);
  });

  it('leave out what NO_PROXY names, and loopback', async () => {
    const { asked, origin } = await proxy();
    const own = await serve((_request, response) => void response.end('direct'));
    const context = { proxies: { http: origin }, privateOrigins: new Set([own]) };
    expect(await scratch.ask(httpApi, { url: own }, context)).toMatchObject({ body: 'direct' });
    const named = { proxies: { http: origin, no: 'example.com' }, resolveName: unresolvable };
    await expect(scratch.ask(httpApi, { url: 'http://example.com/' }, named)).rejects.toThrow(
      /can't be resolved/,
    );
    expect(asked).toEqual([]);
  });

  it('reach an https server through the tunnel', async () => {
    const target = await serve((_request, response) => void response.end('x'));
    const { port } = new URL(target);
    const tunnels: string[] = [];
    const server = createServer();
    server.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const to = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(socket).pipe(to);
      });
      to.on('error', () => socket.destroy());
      socket.on('error', () => to.destroy());
    });
    const context = { proxies: { https: await listen(server) }, resolveName };
    // The server does not speak TLS: the handshake fails after the tunnel, not before it.
    await expect(scratch.ask(httpApi, { url: 'https://example.com/' }, context)).rejects.toThrow(
      /http_api failed: example.com/,
    );
    expect(tunnels).toEqual(['example.com:443']);
  });
});

describe('a public address of this machine', () => {
  const ownAddresses = () => ['10.0.0.7', '93.184.215.14', '2606:4700:4700::1111'];
  const context = { ownAddresses, resolveName };

  it.each([
    ['by its number', 'http://93.184.215.14:8080/'],
    ['by a name', 'http://example.com:8080/'],
    ['in an IPv6 disguise', 'http://[::ffff:93.184.215.14]/'],
    ['of IPv6', 'http://[2606:4700:4700:0::1111]/'],
  ])('is not asked %s, directly or by way of a proxy', async (_how, url) => {
    const asked: string[] = [];
    const proxy = await serve((request, response) => {
      asked.push(request.url ?? '');
      response.end('by proxy');
    });
    for (const way of [context, { ...context, proxies: { http: proxy } }]) {
      await expect(scratch.ask(httpApi, { url }, way)).rejects.toThrow(
        /an address of this machine.* can open /,
      );
      await expect(scratch.ask(webFetch, { url }, way)).rejects.toThrow(
        /an address of this machine/,
      );
    }
    expect(asked).toEqual([]);
  });

  it('is asked at the host and port that the settings name, and at no other', async () => {
    const own = await serve((_request, response) => void response.end('in'));
    const { port } = new URL(own);
    const named = {
      ownAddresses,
      privateOrigins: new Set([`http://me.example:${port}`]),
      resolveName: async () => [{ address: '127.0.0.1', family: 4 }],
    };
    const url = `http://me.example:${port}/`;
    expect(await scratch.ask(httpApi, { url }, named)).toMatchObject({ body: 'in' });
    const other = { ...named, resolveName };
    await expect(scratch.ask(httpApi, { url: 'http://me.example/' }, other)).rejects.toThrow(
      /an address of this machine \(93.184.215.14\)/,
    );
  });
});

describe('a name that changes its mind', () => {
  it('is connected to at the address that was checked, whatever it resolves to later', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    const asked: string[] = [];
    const own = await serve((_request, response) => void response.end('in'));
    const { port } = new URL(own);
    const context = {
      privateOrigins: new Set([`http://rebinding.example:${port}`]),
      resolveName: async (host: string) => {
        asked.push(host);
        return [{ address: answers.shift() ?? '', family: 4 }];
      },
    };
    const url = `http://rebinding.example:${port}/`;
    expect(await scratch.ask(httpApi, { url }, context)).toMatchObject({ body: 'in' });
    expect(asked).toEqual(['rebinding.example']);
  });

  it.each([
    ['a private address', [{ address: '127.0.0.1', family: 4 }]],
    [
      'a public and a private address',
      [
        { address: '93.184.215.14', family: 4 },
        { address: '::ffff:169.254.169.254', family: 6 },
      ],
    ],
    ['no address', []],
  ])('is not connected to if it has %s', async (_what, addresses) => {
    const context = { resolveName: async () => addresses };
    await expect(scratch.ask(httpApi, { url: 'http://a.example/' }, context)).rejects.toThrow(
      /not a public address|has no address/,
    );
  });

  it('is checked again at every redirect', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const own = await serve((_request, response) => {
      response.writeHead(302, { location: '/next' }).end();
    });
    const { port } = new URL(own);
    const origins = new Set([`http://rebinding.example:${port}`]);
    const context = {
      privateOrigins: {
        // Open for the first look only.
        has: (origin: string) => origins.delete(origin),
      } as unknown as ReadonlySet<string>,
      resolveName: async () => [{ address: answers.shift() ?? '', family: 4 }],
    };
    const url = `http://rebinding.example:${port}/`;
    await expect(scratch.ask(httpApi, { url }, context)).rejects.toThrow(/\(10.0.0.1\)/);
  });
});
