import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMoneyBroker, person } from '../../../test/money/money-broker.ts';
import type { Approver } from '../../../test/setup/broker-parts.ts';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { ApiCallDecision, ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { HttpRequest } from '../../contract/wire/protocol.ts';
import type { Db } from '../../db/open-database.ts';
import type { Provider } from '../../llm/provider.ts';
import { createRedactor } from '../../policy/secrets/redact.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Service } from '../../tools/web/authorize.ts';
import { createBroker } from '../answer.ts';
import { newTally } from '../intent/scope.ts';
import { createRecordPool } from '../recall/record-pool.ts';
import { recoverIntent } from '../recall/recover-intent.ts';

const SECRET = 'weather-key-0123456789';

let db: Db;
const servers: Server[] = [];
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
});
afterEach(() => {
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

const offline: Provider = {
  name: 'offline',
  origin: undefined,
  isModel: false,
  modelFor: () => 'none',
  contextTokens: async () => undefined,
  listModels: async () => [],
  chat: () => Promise.reject(new Error('no model')),
  close: () => {},
};

interface SetupOptions {
  readonly origin: string;
  readonly priceUsd?: number;
  readonly approver?: Approver | undefined;
  readonly runUsd?: number;
  readonly isConsent?: boolean;
  readonly granted?: readonly string[];
  readonly failures?: number;
  readonly restMs?: number;
}

/** A broker with one service, and a capsule that is granted it. */
function setUp({ origin, priceUsd = 0.01, runUsd = 1, isConsent = false, ...rest }: SetupOptions) {
  const { granted = ['weather'], approver, failures = 5, restMs = 30_000 } = rest;
  const base = openMoneyBroker(db, {
    provider: offline,
    approver,
    redactor: createRedactor([SECRET]),
    breaker: { failures, restMs },
    limits: { runMicroUsd: runUsd * 1e6, runMicroUsdSetByPerson: isConsent },
  });
  const service: Service = {
    name: 'weather',
    origin,
    credential: { place: { in: 'header', name: 'x-key', scheme: undefined }, secret: SECRET },
    priceMicroUsd: priceUsd * 1e6,
    methods: ['GET', 'POST'],
    paths: ['/v1/**'],
  };
  const broker = createBroker({
    ...base.parts,
    tools: toolbox,
    services: new Map([['weather', service]]),
    surroundings: { ...base.parts.surroundings, privateOrigins: new Set([origin]) },
  });
  const scope = { ...base.run.coordinator, services: granted, tally: newTally() };
  const ask = async (request: Partial<HttpRequest> = {}, changes: object = {}) =>
    (await broker.answer(
      {
        type: 'api_call_intent',
        provider: '',
        endpoint: '',
        reason: 'to know the weather',
        request: { kind: 'http', service: 'weather', method: 'GET', path: '/v1/now', ...request },
      },
      { ...scope, ...changes },
    )) as ApiCallDecision;
  const tool = async (args: Record<string, unknown>, changes: object = {}) =>
    (await broker.answer(
      { type: 'tool_call_intent', tool: 'http_api', args, reason: '' },
      { ...scope, grants: new Map([['http_api', { hosts: ['*'] }]]), ...changes },
    )) as ToolCallResult;
  return { ...base, ask, tool, scope };
}

const echo = () =>
  serve((request, response) => {
    response.setHeader('x-key-was', String(request.headers['x-key']));
    response.end(`${request.method} ${request.url} ${request.headers['x-key']}`);
  });

describe('a request in the name of a service', () => {
  it('carries the credential, which no answer shows, and costs its price', async () => {
    const { ask, rows, heard } = setUp({ origin: await echo(), isConsent: true });
    const { approved, response } = await ask();
    expect(approved).toBe(true);
    expect(response).toMatchObject({
      status: 200,
      body: 'GET /v1/now [secret removed by Capstan]',
      headers: { 'x-key-was': '[secret removed by Capstan]' },
    });
    expect(rows()).toMatchObject([
      {
        kind: 'http',
        name: 'http_api.GET',
        target: 'weather/v1/now',
        tier: 3,
        status: 'done',
        costMicroUsd: 10_000,
        reservedMicroUsd: 0,
      },
    ]);
    expect(JSON.stringify([rows(), heard])).not.toContain(SECRET);
  });

  it('asks once per run whether money may be spent, and says for what', async () => {
    const { asked, approver } = person('approve');
    const { ask, rows } = setUp({ origin: await echo(), approver });
    await ask();
    await ask({ path: '/v1/later' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ kind: 'spend', target: 'weather/v1/now' });
    expect(asked[0]?.details).toContain('price: $0.01 a call (services.yaml)');
    expect(asked[0]?.details).not.toContain(SECRET);
    expect(rows().map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('asks for a change of the service as well, and reserves before it asks', async () => {
    const { asked, approver } = person('approve');
    const { ask, rows, parts, run } = setUp({
      origin: await echo(),
      isConsent: true,
      approver: {
        async ask(question, signal) {
          const used = parts.budget.used(
            { id: '', runId: 'run-1', capsuleId: 'clerk' },
            run.policy,
          );
          expect(used.runSpentMicroUsd).toBe(10_000);
          return approver.ask(question, signal);
        },
      },
    });
    await ask({ method: 'POST', body: { text: 'hello' }, headers: { 'x-a': 'b' } });
    expect(asked.map(({ kind }) => kind)).toEqual(['tool']);
    expect(asked[0]?.details).toContain('"text": "hello"');
    expect(asked[0]?.details).toContain('"x-a": "b"');
    expect(rows()[0]).toMatchObject({ status: 'done', costMicroUsd: 10_000, tier: 3 });
  });

  it('releases the money if a person denies it', async () => {
    const { approver } = person('deny');
    const { ask, rows } = setUp({ origin: await echo(), isConsent: true, approver });
    const reply = await ask({ method: 'POST' });
    expect(reply).toMatchObject({ approved: false, error: { code: 'INTENT_DENIED' } });
    expect(rows()[0]).toMatchObject({ status: 'denied', reservedMicroUsd: 0, costMicroUsd: 0 });
  });

  it('gives the money and the probe back if the run ends before it starts', async () => {
    let status = 503;
    const origin = await serve((_request, response) => void response.writeHead(status).end());
    const { ask, rows } = setUp({ origin, isConsent: true, failures: 1, restMs: 1 });
    await ask({ path: '/v1/ill' });
    status = 200;
    await sleep(10);
    const reply = await ask({ path: '/v1/ended' }, { ending: AbortSignal.abort() });
    expect(reply).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(rows()[1]).toMatchObject({ status: 'proposed', reservedMicroUsd: 0, costMicroUsd: 0 });
    expect(await ask({ path: '/v1/probe' })).toMatchObject({ response: { status: 200 } });
  });

  it('is denied if the budget is used up', async () => {
    const { ask } = setUp({ origin: await echo(), isConsent: true, runUsd: 0.015 });
    expect(await ask()).toMatchObject({ approved: true });
    const second = await ask({ path: '/v1/later' });
    expect(second).toMatchObject({ approved: false });
    expect(second.error?.message).toContain('CAPSTAN_BUDGET_RUN_USD');
  });

  it('costs and asks nothing if the service is free', async () => {
    const { ask, rows } = setUp({ origin: await echo(), priceUsd: 0 });
    expect(await ask()).toMatchObject({ approved: true });
    expect(rows()[0]).toMatchObject({ tier: 0, costMicroUsd: 0, status: 'done' });
  });

  it.each([
    ['a service that is not granted', {}, { services: [] }, /granted to the capsule/],
    ['another method', { method: 'DELETE' as const }, {}, /takes GET, POST only/],
    ['another path', { path: '/admin' }, {}, /takes \/v1\/\*\* only/],
    ['a path that leads away', { path: '/v1/../admin' }, {}, /takes \/v1\/\*\* only/],
  ])('is denied for %s', async (_what, request, changes, message) => {
    const { ask, rows } = setUp({ origin: await echo(), isConsent: true });
    const reply = await ask(request, changes);
    expect(reply).toMatchObject({ approved: false, error: { code: 'INTENT_DENIED' } });
    expect(reply.error?.message).toMatch(message);
    expect(rows()[0]).toMatchObject({ status: 'denied', step: 1, kind: 'http' });
  });

  it.each([
    ['an unknown service', { service: 'maps' }, 'SERVICE_UNKNOWN', /Known: weather/],
    ['a path to another host', { path: '/\\evil.example/' }, 'INTENT_DENIED', /takes/],
    [
      'a header with a line break',
      { headers: { 'x-a': 'a\r\nb: c' } },
      'TOOL_ARGS_INVALID',
      /one line/,
    ],
    ['a header of the connection', { headers: { host: 'x' } }, 'TOOL_ARGS_INVALID', /connection/],
    ['a request that holds the secret', { path: `/v1/${SECRET}` }, 'INTENT_DENIED', /secret/],
  ])('is refused for %s', async (_what, request, code, message) => {
    const { ask } = setUp({ origin: await echo(), isConsent: true });
    const { approved, error } = await ask(request);
    expect({ approved, code: error?.code }).toEqual({ approved: false, code });
    expect(error?.message).toMatch(message);
  });

  it('counts a request that may have arrived, and nothing if there was no connection', async () => {
    const breaks = await serve((request) => void request.socket.destroy());
    const first = setUp({ origin: breaks, isConsent: true });
    expect(await first.ask()).toMatchObject({ error: { code: 'TOOL_FAILED' } });
    for (const server of servers.splice(0)) server.close();
    await first.ask({ path: '/v1/closed' });
    expect(first.rows().map(({ costMicroUsd }) => costMicroUsd)).toEqual([10_000, 0]);
  });

  it('pauses a service that fails, and no other', async () => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls += 1;
      response.writeHead(503).end('ill');
    });
    const { ask, heard } = setUp({ origin, isConsent: true, failures: 2 });
    await ask({ path: '/v1/1' });
    expect(await ask({ path: '/v1/2' })).toMatchObject({ response: { status: 503 } });
    const third = await ask({ path: '/v1/3' });
    expect(third).toMatchObject({ approved: false });
    expect(third.error?.message).toContain('failed too often');
    expect(calls).toBe(2);
    expect(heard.filter(({ type }) => type === 'breaker.opened')).toHaveLength(1);
  });

  it('is answered from its record the second time', async () => {
    let calls = 0;
    const origin = await serve((_request, response) => {
      calls += 1;
      response.end('once');
    });
    const { ask, rows, parts } = setUp({ origin, isConsent: true });
    const first = await ask();
    parts.journal.flush();
    const again = await ask({}, { record: createRecordPool(rows()) });
    expect(again).toEqual(first);
    expect(calls).toBe(1);
    expect(rows()).toHaveLength(1);
  });

  it('is a question to a person after a crash, and counts as paid', async () => {
    const { ask, rows, parts } = setUp({
      origin: await echo(),
      isConsent: true,
      approver: person('approve').approver,
    });
    await ask({ method: 'POST' });
    const [done] = rows();
    if (!done) throw new Error('there is no row');
    const started = {
      ...done,
      status: 'started',
      costMicroUsd: 0,
      reservedMicroUsd: 10_000,
    } as const;
    const run = { workspace: '/w', policyVersion: 'v' };
    const recover = (row: typeof started) =>
      recoverIntent(row, { ...parts, run, capsuleHash: 'c0ffee' });
    let recovered = done;
    parts.journal.commit(() => {
      recovered = recover(started);
    });
    expect(recovered).toMatchObject({
      status: 'unknown',
      costMicroUsd: 10_000,
      reservedMicroUsd: 0,
    });
  });
});

describe('http_api at a service', () => {
  it('carries the credential if it names the service', async () => {
    const origin = await echo();
    const { tool, rows } = setUp({ origin, isConsent: true });
    const reply = await tool({ url: `${origin}/v1/now`, service: 'weather' });
    expect(reply.result).toMatchObject({ body: 'GET /v1/now [secret removed by Capstan]' });
    expect(rows()[0]).toMatchObject({ kind: 'tool', tier: 3, target: 'weather/v1/now' });
  });

  it('costs the same without the credential if it only requests the host', async () => {
    const origin = await echo();
    const { asked, approver } = person('approve');
    const { tool, rows } = setUp({ origin, approver });
    const reply = await tool({ url: `${origin}/other` });
    expect(reply.result).toMatchObject({ body: 'GET /other undefined' });
    expect(asked.map(({ kind }) => kind)).toEqual(['spend', 'tool']);
    expect(rows()[0]).toMatchObject({ tier: 3, costMicroUsd: 10_000 });
  });

  it.each([
    ['another address', { url: 'http://127.0.0.1:1/v1/now', service: 'weather' }, /is at http/],
    ['an unknown service', { url: 'http://127.0.0.1:1/', service: 'maps' }, /No service "maps"/],
  ])('is denied at %s', async (_what, args, message) => {
    const { tool } = setUp({ origin: await echo(), isConsent: true });
    const { ok, error } = await tool(args);
    expect(ok).toBe(false);
    expect(error?.message).toMatch(message);
  });
});
