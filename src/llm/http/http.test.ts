import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleCode } from '../../../test/programs/bundle-program.ts';
import { createHttpClient, type HttpAnswer, type HttpClientOptions } from './http.ts';
import { proxyFor } from './proxies.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

function client(options: HttpClientOptions) {
  const http = createHttpClient(options);
  opened.push(() => http.close());
  return http;
}

const never = new AbortController().signal;
const readText = (answer: HttpAnswer, maxBytes: number) => answer.text(maxBytes);

describe('createHttpClient', () => {
  it('posts JSON under the base path with its headers, and keeps the connection', async () => {
    let connections = 0;
    const server = createServer(async (request, response) => {
      const body = await text(request);
      response.end(JSON.stringify([request.method, request.url, request.headers['x-key'], body]));
    });
    server.on('connection', () => {
      connections += 1;
    });
    const http = client({ baseUrl: `${await listen(server)}/v1/`, headers: { 'x-key': 'k' } });
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await http.post('/chat', { turn }, never);
      expect(JSON.parse(await readText(answer, 1_000))).toEqual([
        'POST',
        '/v1/chat',
        'k',
        `{"turn":${turn}}`,
      ]);
    }
    expect(connections).toBe(1);
  });

  it('sends one request per call, also if a kept connection breaks', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      request.resume();
      if (requests === 2) return void request.socket.destroy();
      response.end('ok');
    });
    const http = client({ baseUrl: await listen(server) });
    await readText(await http.get('/', never), 10);
    await expect(http.get('/', never)).rejects.toMatchObject({ kind: 'network' });
    expect(await readText(await http.get('/', never), 10)).toBe('ok');
    expect(requests).toBe(3);
  });

  it('does not follow a redirect', async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/steal' }).end();
    });
    expect((await client({ baseUrl }).get('/', never)).status).toBe(302);
  });

  it('ends immediately with the reason when it is aborted, before and during the answer', async () => {
    const baseUrl = await serve((_request, response) => {
      response.write('the start');
    });
    const http = client({ baseUrl });
    await expect(http.get('/', AbortSignal.abort(new Error('too early')))).rejects.toThrow(
      'too early',
    );
    const stop = new AbortController();
    const answer = await http.get('/', stop.signal);
    setTimeout(() => stop.abort(new Error('changed my mind')), 20);
    await expect(readText(answer, 1_000)).rejects.toThrow('changed my mind');
  });

  it.each([
    ['never answers', () => undefined],
    ['never finishes its answer', (_request, response) => void response.write('a')],
  ] as [string, RequestListener][])('gives up on a server that %s', async (_how, listener) => {
    const http = client({ baseUrl: await serve(listener), timeoutMs: 100 });
    const call = async () => readText(await http.get('/', never), 1_000);
    await expect(call()).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('stops reading an answer that grows past its bound', async () => {
    const baseUrl = await serve((_request, response) => {
      const more = () => void response.write('x'.repeat(64 * 1024), () => setImmediate(more));
      more();
    });
    const http = client({ baseUrl, maxBytes: 200_000 });
    const all = await http.get('/', never);
    await expect(readText(all, 1e9)).rejects.toMatchObject({ kind: 'too_large' });
    const pieces = await http.get('/', never);
    const drain = async () => {
      for await (const chunk of pieces.chunks) expect(chunk.length).toBeGreaterThan(0);
    };
    await expect(drain()).rejects.toMatchObject({ kind: 'too_large' });
  });

  it.each([
    ['is refused', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['breaks', undefined, 'ECONNRESET'],
  ])('reports that the connection %s', async (_how, known, code) => {
    const baseUrl = known ?? (await serve((request) => void request.socket.destroy()));
    await expect(client({ baseUrl }).get('/', never)).rejects.toMatchObject({
      kind: 'network',
      code,
      message: expect.stringContaining(baseUrl),
    });
  });

  it('reports that the answer was interrupted', async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.socket?.destroy());
    });
    const answer = await client({ baseUrl }).get('/', never);
    await expect(readText(answer, 1_000)).rejects.toMatchObject({ kind: 'network' });
  });
});

describe('proxies', () => {
  it.each([
    ['http://api.example/v1', 'http://proxy:1'],
    ['https://api.example/v1', 'http://secure:2'],
    ['http://inner.example', undefined],
    ['http://deep.inner.example:8080', undefined],
    ['http://notinner.example', 'http://proxy:1'],
    ['http://ported.example:8080', undefined],
    ['http://ported.example:8081', 'http://proxy:1'],
    ['http://10.0.0.7', undefined],
    ['http://[fd00::7]/', undefined],
    ['http://127.0.0.1:11434', undefined],
    ['http://localhost:11434', undefined],
    ['https://[::1]:8000', undefined],
  ])('%s goes through %s', (url, expected) => {
    const no = 'inner.example, .ported.example:8080,10.0.0.7 fd00::7';
    expect(proxyFor(new URL(url), { http: 'http://proxy:1', https: 'secure:2', no })).toBe(
      expected,
    );
  });

  it('asks an http proxy for the whole URL', async () => {
    const seen: (string | undefined)[] = [];
    const proxy = await serve((request, response) => {
      seen.push(request.url, request.headers['x-key']?.toString());
      response.end('through');
    });
    const http = client({
      baseUrl: 'http://models.test/v1',
      headers: { 'x-key': 'k' },
      proxies: { http: proxy },
    });
    expect(await readText(await http.post('/chat', {}, never), 100)).toBe('through');
    expect(seen).toEqual(['http://models.test/v1/chat', 'k']);
  });

  it('tunnels https, and shows the proxy neither key nor path', async () => {
    const seen: string[] = [];
    const server = createServer();
    server.on('connect', (request, socket) => {
      seen.push(request.url ?? '', JSON.stringify(request.headers));
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    const http = client({
      baseUrl: 'https://models.test/v1',
      headers: { 'x-key': 'the-key' },
      proxies: { https: await listen(server) },
    });
    await expect(http.post('/chat', {}, never).then((answer) => answer.status)).resolves.toBe(502);
    expect(seen[0]).toBe('models.test:443');
    expect(seen[1]).not.toContain('the-key');
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('certificates (skipped without openssl)', () => {
  it('refuses an unknown one, and accepts it through a tunnel if NODE_EXTRA_CA_CERTS names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-tls-'));
    opened.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
        .concat(['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=models.test'])
        .concat(['-addext', 'subjectAltName=DNS:models.test']),
      { stdio: 'ignore' },
    );
    const target = createTlsServer(
      { key: readFileSync(key), cert: readFileSync(cert) },
      (_request, response) => response.end('{"choices":[]}'),
    );
    const port = new URL(await listen(target)).port;
    const proxy = createServer();
    proxy.on('connect', (_request, socket) => {
      const inner = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        inner.pipe(socket).pipe(inner);
      });
      inner.on('error', () => socket.destroy());
      socket.on('error', () => inner.destroy());
    });
    const proxyUrl = await listen(proxy);
    const run = (environment: Record<string, string>) =>
      fetchInChild(proxyUrl, environment).then((output) => output.trim());
    expect(await run({})).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
    expect(await run({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatch(
      /SELF_SIGNED|UNABLE_TO_VERIFY/,
    );
    expect(await run({ NODE_EXTRA_CA_CERTS: cert })).toBe('200');
  });

  async function fetchInChild(proxy: string, environment: Record<string, string>) {
    const program = `
      import { createHttpClient } from ${JSON.stringify(join(import.meta.dirname, 'http.ts'))};
      const http = createHttpClient({ baseUrl: 'https://models.test', proxies: { https: process.argv[2] } });
      http.get('/', new AbortController().signal).then((a) => a.status, (e) => e.code).then((said) => { console.log(said); process.exit(); });`;
    const child = spawn(process.execPath, [bundleCode(program), proxy], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return text(child.stdout);
  }
});
