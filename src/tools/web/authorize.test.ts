import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { httpApi } from '../http-api.ts';
import { authorized, type Service, serviceProblem, withoutCredential } from './authorize.ts';

const SECRET = 'key-0123456789/+abc';

const service = (changes: Partial<Service> = {}): Service => ({
  name: 'weather',
  origin: 'https://api.example.com',
  credential: {
    place: { in: 'header', name: 'authorization', scheme: 'Bearer' },
    secret: SECRET,
  },
  priceMicroUsd: 0,
  methods: ['GET', 'POST'],
  paths: ['/v1/**', '/status'],
  ...changes,
});
const inQuery = { place: { in: 'query', name: 'key' }, secret: SECRET } as const;

describe('the requests that a service allows', () => {
  it.each([
    ['a path below', 'GET', 'https://api.example.com/v1/a?b=1'],
    ['a path itself', 'POST', 'https://api.example.com/status'],
  ])('%s', (_what, method, url) => {
    expect(serviceProblem(service(), { method, url: new URL(url) })).toBeUndefined();
  });

  it.each([
    ['another method', 'DELETE', 'https://api.example.com/v1/a', /takes GET, POST only/],
    ['another path', 'GET', 'https://api.example.com/admin', /takes \/v1\/\*\*, \/status only/],
    ['dots that lead elsewhere', 'GET', 'https://api.example.com/v1/../admin', /not \/admin/],
    ['encoded dots', 'GET', 'https://api.example.com/v1/%2e%2e/admin', /not \/admin/],
    ['encoded slashes', 'GET', 'https://api.example.com/v1/..%2fadmin', /takes/],
    ['an invalid beginning', 'GET', 'https://api.example.com/v1', /takes/],
    ['another host', 'GET', 'https://evil.example/v1/a', /is at https:\/\/api.example.com/],
    ['the host with a dot', 'GET', 'https://api.example.com./v1/a', /is at/],
    ['another port', 'GET', 'https://api.example.com:8443/v1/a', /is at/],
    ['no encryption', 'GET', 'http://api.example.com/v1/a', /is at/],
  ])('not %s', (_what, method, url, message) => {
    expect(serviceProblem(service(), { method, url: new URL(url) })).toMatch(message);
  });

  it('not a parameter that carries the credential', () => {
    const url = new URL('https://api.example.com/v1/a?key=mine');
    expect(serviceProblem(service({ credential: inQuery }), { method: 'GET', url })).toMatch(
      /carries the credential/,
    );
  });
});

describe('the credential', () => {
  const request = (url: string, headers = {}) => ({ url: new URL(url), headers });

  it('replaces a header that the capsule set', () => {
    const asked = request('https://api.example.com/v1/a', { AUTHORIZATION: 'mine', 'x-a': '1' });
    expect(authorized(asked, service()).headers).toEqual({
      authorization: `Bearer ${SECRET}`,
      'x-a': '1',
    });
  });

  it('is encoded correctly in the query', () => {
    const asked = request('https://api.example.com/v1/a?b=%20');
    const { url } = authorized(asked, service({ credential: inQuery }));
    expect(url.href).toBe(`https://api.example.com/v1/a?b=%20&key=${encodeURIComponent(SECRET)}`);
    expect(asked.url.href).not.toContain('key=');
    expect(withoutCredential(url, service({ credential: inQuery })).href).not.toContain('key=');
  });

  it.each(['http://api.example.com/', 'https://api.example.com:1/', 'https://b.example/'])(
    'goes nowhere else: %s',
    (url) => {
      const asked = request(url);
      expect(authorized(asked, service())).toBe(asked);
      expect(authorized(asked, service({ credential: inQuery }))).toBe(asked);
    },
  );
});

describe('http_api in the name of a service', () => {
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
  const ask = (origin: string, changes: Partial<Service>, args = {}) =>
    scratch.ask<{ body: string; final_url: string }>(
      httpApi,
      { url: `${origin}/v1/a`, service: 'weather', ...args },
      { privateOrigins: new Set([origin]), service: service({ origin, ...changes }) },
    );

  it('carries the credential, also after a redirect to the same origin', async () => {
    const seen: string[] = [];
    const origin = await serve((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      if (request.url === '/v1/a') response.writeHead(302, { location: '/v1/b' });
      response.end('ok');
    });
    expect(await ask(origin, {})).toMatchObject({ body: 'ok', origin });
    expect(seen).toEqual([`/v1/a Bearer ${SECRET}`, `/v1/b Bearer ${SECRET}`]);
  });

  it('returns an address without the credential that the server echoed', async () => {
    const origin = await serve((request, response) => {
      if (request.url?.startsWith('/v1/a')) {
        const location = request.url.replace('/v1/a', '/v1/b');
        response.writeHead(302, { location });
      }
      response.end(request.url);
    });
    const answer = await ask(origin, { credential: inQuery });
    expect(answer.final_url).toBe(`${origin}/v1/b`);
    expect(answer.body).toBe(`/v1/b?key=${encodeURIComponent(SECRET)}`);
  });

  it('never follows a redirect out of the paths of the service, or to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const origin = await serve((request, response) => {
      const location = request.url === '/v1/a' ? '/admin' : `${other}/v1/a`;
      seen.push(request.url);
      response.writeHead(307, { location }).end();
    });
    await expect(ask(origin, {})).rejects.toThrow(/not followed: .*takes \/v1/);
    await expect(ask(origin, {}, { url: `${origin}/v1/b` })).rejects.toThrow(/redirects to/);
    expect(seen).toEqual(['/v1/a', '/v1/b']);
  });

  it('is refused if the broker did not pass the service to it', async () => {
    const url = 'https://api.example.com/v1/a';
    const call = scratch.ask(httpApi, { url, service: 'weather' });
    await expect(call).rejects.toThrow(/there is no service "weather"/);
  });
});
