import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  errorBody,
  type ModelServer,
  startModelServer,
} from '../../../../test/model-server/model-server.ts';
import type { ScriptedAnswer } from '../../../../test/model-server/script.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';
import { chooseModels } from './list-served.ts';

const KEY = 'sk-of-the-test-0123456789abcdx4Qd';

let person: Person;
let capstan: Capstan;
let answer: ScriptedAnswer;
let server: ModelServer;
beforeEach(async () => {
  person = temporaryPerson();
  answer = { text: 'ok' };
  server = await startModelServer({ vendor: 'openai', script: () => answer });
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  await server.close();
  person.remove();
});
const access = () => ({ provider: 'server', baseUrl: server.baseUrl, key: KEY }) as const;

describe('the models of a provider', () => {
  it('are listed with the key of the person, and a single one is proposed', async () => {
    expect(await capstan.setup.models(access())).toEqual({
      models: [server.model],
      choice: { fast: server.model, balanced: server.model, best: server.model },
      problem: null,
      baseUrl: server.baseUrl,
    });
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  it('are not known if nothing answers there', async () => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const { problem, choice } = await capstan.setup.models({ provider: 'server', baseUrl });
    expect(problem?.kind).toBe('unreachable');
    expect(choice).toBe(null);
  });

  it('are not known with a wrong key, and the reason does not repeat it', async () => {
    const vendor = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(errorBody('anthropic', 401, `invalid x-api-key ${KEY}`)));
    });
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    const env = { ...person.environment, ANTHROPIC_BASE_URL: url };
    const other = await openCapstan({ env, cwd: person.project });
    const { problem } = await other.setup.models({ provider: 'anthropic', key: KEY });
    await other.close();
    vendor.close();
    vendor.closeAllConnections();
    expect(problem?.kind).toBe('key');
    expect(problem?.message).toContain('invalid x-api-key [key]');
  });
});

describe('the models to propose', () => {
  const defaults = { fast: 'haiku-5', balanced: 'sonnet-5', best: 'opus-5' };
  it.each([
    ['those of the vendor, if they are listed', ['opus-5', 'sonnet-5', 'haiku-5', 'old'], defaults],
    [
      'those of the vendor, if they have a date',
      ['opus-5-20260101', 'sonnet-5-20260101', 'haiku-5'],
      defaults,
    ],
    [
      'another listed one in place of one that is not',
      ['sonnet-5', 'opus-5'],
      { ...defaults, fast: 'sonnet-5' },
    ],
    ['none, if none of them is listed', ['else'], undefined],
    ['those of the vendor, without a list', [], defaults],
  ])('are %s', (_which, listed, models) => {
    expect(chooseModels(listed, defaults)).toEqual(models);
  });

  it("are none of a long list that is not a known vendor's", () => {
    expect(chooseModels(['a', 'b', 'c', 'd', 'e', 'f'], undefined)).toBe(undefined);
  });
});

describe('the check of a model', () => {
  it('is one short call with the key, recorded as a run that only lists with trials show', async () => {
    const check = await capstan.setup.check({ ...access(), model: server.model });
    expect(check).toMatchObject({ model: server.model, costUsd: 0, problem: null });
    expect(check.latencyMs).toBeGreaterThanOrEqual(0);
    expect(server.chats).toHaveLength(1);
    const [run] = await capstan.runs.list({ trials: true });
    expect(run).toMatchObject({ task: 'Check the models', status: 'completed' });
    expect(await capstan.runs.list()).toEqual([]);
    const { runs } = await capstan.reports.runs({ limit: 5, trials: true });
    expect(runs.map(({ id }) => id)).toEqual([run?.id]);
    expect((await capstan.reports.runs({ limit: 5 })).runs).toEqual([]);
  });

  it.each([
    ['the vendor refuses the key', 401, 'key'],
    ['the vendor has no such model', 404, 'other'],
    ['the vendor is out of service', 503, 'unreachable'],
  ] as const)('says why if %s', async (_what, status, kind) => {
    answer = { status, body: errorBody('openai', status, 'That does not work.') };
    const { problem } = await capstan.setup.check({ ...access(), model: server.model });
    expect(problem?.kind).toBe(kind);
    expect(problem?.message).toContain('That does not work.');
  });

  it("has a price before it is made: free on this machine, the vendor's if known, otherwise the highest", async () => {
    expect(await capstan.setup.checkCost(access())).toEqual({ usd: 0, isPriceKnown: true });
    const vendor = await capstan.setup.checkCost({ provider: 'anthropic' });
    expect(vendor.isPriceKnown).toBe(true);
    expect(vendor.usd).toBeGreaterThan(0);
    expect(vendor.usd).toBeLessThan(0.001);
    const other = await capstan.setup.checkCost({
      ...access(),
      baseUrl: 'https://model.invalid/v1',
    });
    expect(other.isPriceKnown).toBe(false);
    expect(other.usd).toBeGreaterThan(0);
  });
});

describe('the providers', () => {
  it('name the keys that are set, and an Ollama that answers on this machine', async () => {
    const ollama = await startModelServer({ vendor: 'ollama', script: () => answer });
    const env = { ...person.environment, OLLAMA_BASE_URL: ollama.origin, GEMINI_API_KEY: KEY };
    const other = await openCapstan({ env, cwd: person.project });
    const providers = await other.setup.providers();
    await other.close();
    await ollama.close();
    expect(providers.map(({ id, keySet, isFound }) => [id, keySet, isFound])).toEqual([
      ['anthropic', null, null],
      ['openai', null, null],
      ['gemini', '********x4Qd', null],
      ['ollama', null, true],
      ['server', null, null],
      ['none', null, null],
    ]);
  });
});
