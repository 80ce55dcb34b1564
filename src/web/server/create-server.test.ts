import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { type Capstan, openCapstan } from '../../app/open-capstan.ts';
import type { ServerSecrets } from '../../app/serving/server-rows.ts';
import { routes } from '../api/routes.ts';
import { createServer, openRoutes } from './create-server.ts';

let person: Person;
let capstan: Capstan;
let server: FastifyInstance;
let secrets: ServerSecrets;
let host: string;
let token: string;
let names: readonly string[];

beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
  secrets = await capstan.serving.secrets();
  token = secrets.addToken();
  const page = { type: 'text/html; charset=utf-8', content: Buffer.from('page'), isHashed: false };
  server = await createServer({
    ...{ capstan, hosting: await capstan.serving.host(() => {}), host: () => host },
    files: new Map([['/index.html', page]]),
    ...{ isToken: secrets.isToken, exchange: secrets.exchange, onProblem: () => {} },
  });
  await server.ready();
  names = routesOf(server);
  await server.listen({ host: '127.0.0.1', port: 0 });
  host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await server.close();
  await capstan.close();
  person.remove();
});

/** Every route as `GET /address`, from the printed tree: a line has four characters per level, a part and its methods. */
function routesOf(server: FastifyInstance): string[] {
  const address: string[] = [];
  const lines = server.printRoutes({ commonPrefix: false }).split('\n');
  return lines.flatMap((line) => {
    const [, lead = '', part = '', methods] = /^([│├└─\s]*)(\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    address.splice(lead.length / 4 - 1, address.length, part);
    return (methods?.split(', ') ?? []).map((method) => `${method} ${address.join('')}`);
  });
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const [hostname, port] = host.split(':');
    const sent = request({ hostname, port, path, method, headers: { host, ...headers } });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const withToken = () => ({ authorization: `Bearer ${token}` });

describe('the router', () => {
  it('answers without a token at the open addresses only', async () => {
    const isOpen = (name: string) => openRoutes.has(name);
    expect(names.filter(isOpen).toSorted()).toEqual([...openRoutes].toSorted());
    const closed = names.filter((name) => !isOpen(name));
    expect(closed.length).toBeGreaterThan(routes.length);
    for (const name of closed) {
      const [method = '', url = ''] = name.split(' ');
      const { status } = await send(url.replaceAll(/:\w+/g, 'x'), { method });
      expect([name, status]).toEqual([name, 401]);
    }
  });

  it('describes every address of its API, streams and the exchange of codes too', async () => {
    const { text } = await send('/api/v1/openapi.json', { headers: withToken() });
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /api/v1${path}`),
    );
    const added = names.map((name) => name.replaceAll(/:(\w+)/g, '{$1}'));
    const ofApi = added.filter((name) => name.includes('/api/v1'));
    expect(described.toSorted()).toEqual(ofApi.toSorted());
    expect(paths['/session']?.['post']).toMatchObject({ security: [] });
    const content = { 'text/event-stream': {} };
    for (const path of ['/stream', '/runs/{id}/events'])
      expect(paths[path]?.['get']).toMatchObject({ responses: { 200: { content } } });
  });

  it('refuses another port in Host or Origin on every route', async () => {
    const [name, port] = host.split(':');
    const other = `${name}:${Number(port) - 1}`;
    for (const route of names) {
      const [method = '', url = ''] = route.split(' ');
      const path = url.replaceAll(/:\w+/g, 'x');
      const toOther = await send(path, { method, headers: { ...withToken(), host: other } });
      const origin = `http://${other}`;
      const fromOther = await send(path, { method, headers: { ...withToken(), origin } });
      expect([route, toOther.status, fromOther.status]).toEqual([route, 421, 403]);
    }
  });
});

describe('a request', () => {
  it.each([
    ['another host', { host: 'evil.example' }, 421],
    ['the host without its port', { host: '127.0.0.1' }, 421],
    ['localhost, which names may point to', { host: 'localhost:7717' }, 421],
    ['a page on another port', { origin: 'http://localhost:3000' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a request from another site', { 'sec-fetch-site': 'same-site' }, 403],
  ])('of %s is refused, token or not', async (_, headers, status) => {
    for (const path of ['/', '/healthz', '/api/v1/runs', '/api/v1/stream']) {
      const answer = await send(path, { headers: { ...withToken(), ...headers } });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  it('of a tab that another page leads here gets the start page only', async () => {
    const arrival = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await send(path, { headers })).status;
    const tab = { ...arrival, 'sec-fetch-dest': 'document' };
    expect(await statusOf('/', tab)).not.toBe(403);
    expect(await statusOf('/', { ...arrival, 'sec-fetch-dest': 'iframe' })).toBe(403);
    expect(await statusOf('/', { ...tab, 'sec-fetch-mode': 'no-cors' })).toBe(403);
    for (const path of ['/runs', '/?x', '/healthz', '/api/v1/runs'])
      expect([path, await statusOf(path, { ...withToken(), ...tab })]).toEqual([path, 403]);
  });

  it('with a body that is not JSON is refused', async () => {
    const headers = { ...withToken(), 'content-type': 'text/plain' };
    const answer = await send('/api/v1/runs', { method: 'POST', headers, body: '{"task":"x"}' });
    expect(answer.status).toBe(415);
  });

  it('with more than a mebibyte is refused', async () => {
    const body = JSON.stringify({ task: 'x'.repeat(1024 * 1024) });
    const headers = { ...withToken(), ...json };
    const answer = await send('/api/v1/runs', { method: 'POST', headers, body });
    expect(answer.status).toBe(413);
  });

  it('with an unknown field or a bad value gets a problem that names it', async () => {
    const headers = { ...withToken(), ...json };
    const body = JSON.stringify({ task: 'x', budget_usd: -1 });
    const { status, text } = await send('/api/v1/runs', { method: 'POST', headers, body });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: 'USAGE', details: [{ field: 'budget_usd' }] });
  });

  it('with values of another type is told in plain words', async () => {
    const headers = { ...withToken(), ...json };
    const body = JSON.stringify({ task: '' });
    const posted = await send('/api/v1/runs', { method: 'POST', headers, body });
    expect(JSON.parse(posted.text)).toMatchObject({ detail: 'task: it must not be empty.' });
    const listed = await send('/api/v1/runs?limit=abc', { headers: withToken() });
    expect(JSON.parse(listed.text)).toMatchObject({ detail: 'limit: it must be a number.' });
  });

  it('with an unknown parameter or an invalid cursor gets an error that names the valid ones', async () => {
    const detailOf = async (path: string) => {
      const { status, text } = await send(`/api/v1${path}`, { headers: withToken() });
      return [status, (JSON.parse(text) as { detail: string }).detail];
    };
    const unknown = 'This address has no parameter "state". It has';
    expect(await detailOf('/runs?state=failed')).toEqual([
      400,
      expect.stringContaining(`${unknown} status, workspace,`),
    ]);
    expect(await detailOf('/health?state=x')).toEqual([400, `${unknown} none.`]);
    expect(await detailOf('/runs?after=x')).toEqual([
      400,
      'after: use the `next` of the previous page.',
    ]);
  });

  it('with an unsupported method gets a 405 that lists the supported ones', async () => {
    const allowed = async (path: string, method: string) => {
      const answer = await send(`/api/v1${path}`, { method, headers: withToken() });
      return [answer.status, answer.headers['allow']];
    };
    expect(await allowed('/runs', 'DELETE')).toEqual([405, 'GET, POST']);
    expect(await allowed('/runs/x/stop', 'GET')).toEqual([405, 'POST']);
    expect(await allowed('/nothing', 'DELETE')).toEqual([404, undefined]);
  });

  it('with a key that was used for another body is a conflict', async () => {
    const headers = { ...withToken(), ...json, 'idempotency-key': 'nightly-1' };
    const start = (task: string) =>
      send('/api/v1/runs', { method: 'POST', headers, body: JSON.stringify({ task }) });
    expect((await start('List the files')).status).toBe(202);
    const { status, text } = await start('Count the files');
    expect([status, JSON.parse(text).code]).toEqual([409, 'KEY_USED']);
  });

  it('for something missing gets the code of the failure and the next steps', async () => {
    const { status, headers, text } = await send('/api/v1/runs/ffffffff', { headers: withToken() });
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(text)).toMatchObject({
      code: 'RUN_UNKNOWN',
      next: [{ action: 'list_runs' }],
    });
  });
});

describe('the page', () => {
  it('is served for its views with a strict policy, and no other file is', async () => {
    const { status, headers } = await send('/runs/0199a1b2');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    for (const path of ['/../package.json', '/assets/%2e%2e/index.html', '/index.html/', '//etc']) {
      expect((await send(path)).status).toBe(404);
    }
  });
});

describe('a one-time code', () => {
  const exchange = (code: string) =>
    send('/api/v1/session', { method: 'POST', headers: json, body: JSON.stringify({ code }) });

  it('is exchanged once for a token', async () => {
    const code = secrets.addCode();
    const { status, text } = await exchange(code);
    expect(status).toBe(200);
    const headers = { authorization: `Bearer ${JSON.parse(text).token}` };
    expect((await send('/api/v1/runs', { headers })).status).toBe(200);
    expect((await exchange(code)).status).toBe(401);
  });

  it('and every token end when they are revoked', async () => {
    const code = secrets.addCode();
    expect(secrets.revokeAll()).toBe(2);
    expect((await exchange(code)).status).toBe(401);
    expect((await send('/api/v1/runs', { headers: withToken() })).status).toBe(401);
  });

  it('can be tried a few times a second only', async () => {
    const tries = Array.from({ length: 15 }, (_, index) => exchange(`${'x'.repeat(30)}${index}`));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses).toContain(429);
  });
});

describe('the answers', () => {
  it.each(['/overview', '/runs', '/approvals', '/sessions', '/capsules', '/costs', '/remembered'])(
    'of %s match their schema',
    async (path) => {
      const { text } = await send(`/api/v1${path}`, { headers: withToken() });
      const { answer } = routes.find((one) => one.path === path && one.method === 'GET') ?? {};
      const document = JSON.parse(text);
      expect(answer?.parse(document)).toEqual(document);
    },
  );
});
