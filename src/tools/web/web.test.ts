import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { failedWith } from '../../contract/errors.ts';
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

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  bytes: number;
  truncated: boolean;
  final_url: string;
}
const open = (...origins: string[]) => ({ privateOrigins: new Set(origins) });
const ask = (origin: string, args: object = {}, changes = {}) =>
  scratch.ask<Answer>(httpApi, { url: `${origin}/`, ...args }, { ...open(origin), ...changes });

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

describe('http_api', () => {
  it('sends method, headers and a JSON body, and returns status, headers and body', async () => {
    const origin = await serve(async (request, response) => {
      const body = await textOf(request);
      const { method, url, headers } = request;
      response.writeHead(201, { 'content-type': 'application/json', 'x-a': '1' });
      response.end(
        JSON.stringify({ method, url, body, type: headers['content-type'], a: headers['x-a'] }),
      );
    });
    const answer = await ask(origin, {
      method: 'POST',
      url: `${origin}/p?q=1`,
      headers: { 'x-a': 'e' },
      body: { a: [1] },
    });
    expect(answer).toMatchObject({ status: 201, truncated: false, final_url: `${origin}/p?q=1` });
    expect(answer.headers).toMatchObject({ 'x-a': '1' });
    expect(JSON.parse(answer.body)).toEqual({
      method: 'POST',
      url: '/p?q=1',
      body: '{"a":[1]}',
      type: 'application/json',
      a: 'e',
    });
  });

  it('returns a status of 500 as a result', async () => {
    const origin = await serve((_request, response) => void response.writeHead(500).end('broken'));
    expect(await ask(origin)).toMatchObject({ status: 500, body: 'broken', bytes: 6 });
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('undoes %s', async (encoding, compress) => {
    const content = 'grün '.repeat(1_000);
    const origin = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding.split(' ')[0] ?? '');
      response.end(compress(Buffer.from(content)));
    });
    expect(await ask(origin)).toMatchObject({ body: content, bytes: 6_000, truncated: false });
  });

  it('undoes two encodings, and refuses three or an unknown one', async () => {
    const content = Buffer.from('text');
    const origin = await serve(({ url }, response) => {
      const encoding = url === '/two' ? 'gzip, br' : url === '/three' ? 'gzip, gzip, br' : 'snappy';
      response.setHeader('content-encoding', encoding);
      response.end(brotliCompressSync(gzipSync(content)));
    });
    expect(await ask(origin, { url: `${origin}/two` })).toMatchObject({ body: 'text' });
    await expect(ask(origin, { url: `${origin}/three` })).rejects.toThrow(/encoded 3 times/);
    await expect(ask(origin, { url: `${origin}/x` })).rejects.toThrow(/"snappy"/);
  });

  it('truncates a long answer, and says how long it is', async () => {
    const origin = await serve((_request, response) => void response.end('x'.repeat(300_000)));
    const answer = await ask(origin, {}, { maxOutputBytes: 1_000 });
    expect(answer).toMatchObject({ bytes: 300_000, truncated: true });
    expect(answer.body).toMatch(/^x{500}\n… 299000 bytes left out …\nx{500}$/);
  });

  it('survives an answer that unpacks to gigabytes', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200_000_000)));
    expect(bomb.length).toBeLessThan(5_000);
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(bomb);
    });
    const before = process.memoryUsage.rss();
    const answer = await ask(origin, {}, { maxOutputBytes: 1_000 });
    expect(answer).toMatchObject({ truncated: true, bytes_is_minimum: true });
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });

  it('refuses an answer whose headers never end', async () => {
    const origin = await serve((_request, response) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write(`x: ${'y'.repeat(4_000)}\r\n`), 1);
      socket?.on('close', () => clearInterval(timer));
    });
    await expect(ask(origin)).rejects.toThrow(/http_api failed: .*[Hh]eader/);
  });

  it('reads one answer per request, whatever follows it', async () => {
    const origin = await serve((_request, response) => {
      const second = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
      response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue${second}`);
    });
    expect(await ask(origin)).toMatchObject({ body: 'true', bytes: 4 });
  });

  it.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 9'],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['a bare line feed in a header', 'x-a: b\nx-c: d\r\nContent-Length: 4\0'],
  ])('refuses an answer with %s', async (_what, header) => {
    const origin = await serve((_request, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\ntrue`);
    });
    await expect(ask(origin)).rejects.toSatisfy((error) => failedWith(error, 'TOOL_FAILED'));
  });

  it('ends an endless answer, a silent server, and an aborted request', async () => {
    const origin = await serve(({ url }, response) => {
      if (url === '/silent') return;
      response.write('x');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    for (const path of ['/', '/silent']) {
      await expect(ask(origin, { url: origin + path }, { timeoutMs: 200 })).rejects.toSatisfy(
        (error) => failedWith(error, 'TOOL_TIMED_OUT'),
      );
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await expect(ask(origin, {}, { signal: controller.signal })).rejects.toSatisfy((error) =>
      failedWith(error, 'CANCELLED'),
    );
  });

  it.each([['a connection that breaks', (response: { destroy(): void }) => response.destroy()]])(
    'reports %s',
    async (_what, answer) => {
      const origin = await serve((_request, response) => answer(response));
      await expect(ask(origin)).rejects.toSatisfy((error) => failedWith(error, 'TOOL_FAILED'));
    },
  );

  it.each([
    ['a GET with a body', { body: 'x' }, /GET and HEAD have no body/],
    ['a header of the connection', { headers: { Host: 'x' } }, /set by the connection/],
    ['a header with a line break', { headers: { 'x-a': 'a\r\nx: y' } }, /one line/],
    ['an invalid header name', { headers: { 'x a': '1' } }, /not a header name/],
    ['an unknown method', { method: 'TRACE' }, /method/],
    ['another scheme', { url: 'file:///etc/passwd' }, /file: is not allowed/],
    ['a name and password', { url: 'http://a:b@example.com/' }, /user name or a password/],
    ['no URL', { url: 'example.com' }, /not a complete URL/],
    ['an unknown argument', { verify: false }, /verify/],
  ])('refuses %s', (_what, args, message) => {
    expect(() => httpApi.prepare({ url: 'http://example.com/', ...args })).toThrow(message);
  });

  it.each([
    ['GET', 0, 'pure'],
    ['HEAD', 0, 'pure'],
    ['POST', 2, 'unsafe'],
    ['DELETE', 2, 'unsafe'],
  ])('%s has tier %s', (method, tier, repeatability) => {
    const { operation } = httpApi.prepare({ method, url: 'http://example.com/a' });
    expect(operation).toMatchObject({ name: `http_api.${method}`, tier, repeatability });
    expect(operation.url?.href).toBe('http://example.com/a');
  });
});

describe('requests to closed addresses', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://０.0.0.0/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://168.63.129.16/',
  ])('are refused before anything is dialled: %s', async (url) => {
    await expect(scratch.ask(httpApi, { url })).rejects.toThrow(/is not a public address/);
    await expect(scratch.ask(webFetch, { url })).rejects.toThrow(/is not a public address/);
  });

  it('are opened by the exact origin only', async () => {
    const origin = await serve((_request, response) => void response.end('in'));
    const { port } = new URL(origin);
    expect(await ask(origin)).toMatchObject({ body: 'in' });
    const others = open(
      'http://127.0.0.1',
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
    );
    await expect(ask(origin, {}, others)).rejects.toThrow(/is not a public address/);
  });
});

describe('redirects', () => {
  const redirecting = (location: string, status = 302) =>
    serve(async (request, response) => {
      if (request.url === '/start') response.writeHead(status, { location }).end('moved');
      else {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ method, url, headers, body: await textOf(request) }));
      }
    });

  it('are followed on the same host', async () => {
    const origin = await redirecting('/end?a=1');
    const answer = await ask(origin, {
      url: `${origin}/start`,
      headers: { authorization: 'Bearer 1' },
    });
    expect(answer.final_url).toBe(`${origin}/end?a=1`);
    expect(JSON.parse(answer.body)).toMatchObject({ headers: { authorization: 'Bearer 1' } });
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'body'],
    [308, 'PUT', 'PUT', 'body'],
  ])('%i turns %s into %s', async (status, method, then, body) => {
    const origin = await redirecting('/end', status);
    const answer = await ask(origin, { url: `${origin}/start`, method, body: 'body' });
    expect(JSON.parse(answer.body)).toMatchObject({ method: then, body });
  });

  it.each([
    [
      'the metadata address',
      'http://169.254.169.254/latest/',
      /redirects to http:\/\/169.254.169.254/,
    ],
    ['another host', 'http://other.example/x', /redirects to http:\/\/other.example\/x/],
    ['another port', 'http://127.0.0.1:1/', /redirects to http:\/\/127.0.0.1:1/],
    ['a file', 'file:///etc/passwd', /file: is not allowed/],
    ['a name and password', 'http://a:b@127.0.0.1/', /user name or a password/],
  ])('to %s are reported and not followed', async (_what, location, message) => {
    const origin = await redirecting(location);
    await expect(ask(origin, { url: `${origin}/start` })).rejects.toThrow(message);
  });

  it('without end are ended', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(302, { location: '/' }).end();
    });
    await expect(ask(origin)).rejects.toThrow(/redirects more than 5 times/);
  });

  it('to nowhere are an answer', async () => {
    const origin = await serve((_request, response) => void response.writeHead(304).end());
    expect(await ask(origin)).toMatchObject({ status: 304 });
  });
});

describe('web_fetch', () => {
  const fetchPage = async (type: string, body: string | Buffer, changes = {}) => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const args = { url: `${origin}/page` };
    const result = await scratch.ask<{ text: string }>(webFetch, args, {
      ...open(origin),
      ...changes,
    });
    return { origin, result };
  };

  it('sends one request for concurrent calls of one attempt for the same page', async () => {
    const asked: (string | undefined)[] = [];
    const origin = await serve(({ url }, response) => {
      asked.push(url);
      setTimeout(() => response.end(`page ${asked.length}`), 50);
    });
    const attempt = {};
    const fetch = (path: string, of?: object) =>
      scratch.ask(webFetch, { url: `${origin}${path}` }, { ...open(origin), attempt: of });
    const same = await Promise.all([1, 2, 3, 4].map(() => fetch('/a', attempt)));
    expect(same).toEqual(Array(4).fill(expect.objectContaining({ text: 'page 1' })));
    expect(asked).toEqual(['/a']);
    // A page may change: it is asked for again, as it is for another attempt and for another page.
    await fetch('/a', attempt);
    await Promise.all([fetch('/a', attempt), fetch('/a', {}), fetch('/a'), fetch('/b', attempt)]);
    expect(asked.toSorted()).toEqual(['/a', '/a', '/a', '/a', '/a', '/b']);
  });

  it('asks again after a shared request that failed', async () => {
    let asked = 0;
    const origin = await serve((_request, response) => {
      asked += 1;
      if (asked === 1) setTimeout(() => response.destroy(), 50);
      else response.end('better');
    });
    const changes = { ...open(origin), attempt: {} };
    const fetch = () => scratch.ask(webFetch, { url: `${origin}/` }, changes);
    const both = await Promise.allSettled([fetch(), fetch()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await fetch()).toMatchObject({ text: 'better' });
    expect(asked).toBe(2);
  });

  it('returns title and readable text, marked with its origin', async () => {
    const html = `<!doctype html><title>A &amp; B
      page</title><style>p{}</style><nav>menu</nav><h1>Head</h1><p>One <a href="/two">two</a></p>
      <script>alert(1)</script><ul><li>x<li>y</ul>`;
    const { origin, result } = await fetchPage('text/html; charset=utf-8', html);
    expect(result).toEqual({
      url: `${origin}/page`,
      final_url: `${origin}/page`,
      status: 200,
      title: 'A & B page',
      text: `Head\n\nOne two [${origin}/two]\n\n * x\n * y`,
      bytes: Buffer.byteLength(html),
      truncated: false,
      origin,
    });
  });

  it.each([
    ['the header', 'text/html; charset=iso-8859-1', Buffer.from('<p>gr\xfcn', 'latin1')],
    [
      'a meta element',
      'text/html',
      Buffer.from('<meta charset="windows-1252"><p>gr\xfcn', 'latin1'),
    ],
    ['a byte order mark', 'text/html', Buffer.from('\ufeff<p>grün', 'utf16le')],
    ['nothing at all', 'text/html', Buffer.from('<p>grün')],
    ['a name that nobody knows', 'text/html; charset=klingon', Buffer.from('<p>grün')],
  ])('decodes the characters by %s', async (_what, type, body) => {
    expect((await fetchPage(type, body)).result.text).toBe('grün');
  });

  it('returns other text unchanged, and nothing that is not text', async () => {
    expect((await fetchPage('application/json', '{"a":1}')).result).toMatchObject({
      text: '{"a":1}',
    });
    await expect(fetchPage('image/png', 'x')).rejects.toThrow(/is image\/png, which is not text/);
    await expect(fetchPage('text/plain', 'a\0b')).rejects.toThrow(/not text/);
  });

  it('cuts a long text', async () => {
    const { result } = await fetchPage('text/plain', 'ü'.repeat(1_000), { maxOutputBytes: 101 });
    expect(result).toMatchObject({ text: 'ü'.repeat(38), bytes: 2_000, truncated: true });
    expect(result).toMatchObject({ tail: { from_line: 1, content: 'ü'.repeat(12) } });
  });

  it('continues in a long text after the truncated part', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `line ${i + 1}\n`).join('');
    const origin = await serve((_request, response) => {
      response.setHeader('content-type', 'text/plain').end(text);
    });
    const limits = { maxOutputBytes: 1_000 };
    let read = '';
    for (let line: number | undefined = 1, count = 0; line !== undefined && count < 10; count++) {
      const args = { url: `${origin}/`, from_line: line };
      const { result } = await scratch.call(webFetch, args, { ...open(origin), ...limits });
      const shown = result as { text: string; next_line?: number };
      read += shown.text;
      line = shown.next_line;
    }
    expect(read).toBe(text);
  });

  it('ends a page that is made to take forever', async () => {
    const page = fetchPage('text/html', '<b>'.repeat(1_300_000), { timeoutMs: 1_500 });
    await expect(page).rejects.toSatisfy(
      (error) => failedWith(error, 'TOOL_FAILED') || failedWith(error, 'TOOL_TIMED_OUT'),
    );
  });
});
