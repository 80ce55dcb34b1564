import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordPool } from '../../src/broker/recall/record-pool.ts';
import type { Db } from '../../src/db/open-database.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { openProvider } from '../../src/llm/providers.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ScriptedAnswer, Vendor } from '../model-server/script.ts';
import { addRun } from '../setup/broker-parts.ts';
import { temporaryDatabase } from '../setup/temporary-database.ts';
import { openMoneyBroker, person } from './money-broker.ts';

let db: Db;
let nowMs: number;
const opened: (() => unknown)[] = [];
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
  nowMs = Date.parse('2026-01-01T12:00:00Z');
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const good: ScriptedAnswer = { text: 'hi', usage: { input_tokens: 1_000, output_tokens: 1_000 } };
const down = (status: number): ScriptedAnswer => ({
  status,
  body: { error: { message: 'it failed' } },
});
const origins = { openai: 'https://api.openai.com', anthropic: 'https://api.anthropic.com' };

interface Vendored {
  answer: ScriptedAnswer;
  readonly server: ModelServer;
  readonly provider: Provider;
}

/** A model of a vendor whose answer can be changed; paid ones count as the vendor's own. */
async function model(vendor: Vendor, name: string, answer: ScriptedAnswer): Promise<Vendored> {
  const made = { answer };
  const server = await startModelServer({ vendor, script: () => made.answer });
  const real = await openProvider(vendor, {
    keys: { [vendor]: 'key-of-the-test' },
    baseUrl: server.baseUrl,
    models: { fast: name, balanced: name, best: name },
    modelTimeoutMs: 500,
  });
  opened.push(
    () => server.close(),
    () => real.close(),
  );
  const origin = vendor === 'openai' || vendor === 'anthropic' ? origins[vendor] : real.origin;
  return Object.assign(made, { server, provider: { ...real, origin } });
}

interface SetUp {
  readonly primary: Vendored;
  readonly fallbacks?: readonly Vendored[];
  readonly approver?: ReturnType<typeof person>['approver'];
  /** Whether the budget is the consent. Default: true. */
  readonly isAgreed?: boolean;
}

function setUp({ primary, fallbacks = [], approver, isAgreed = true }: SetUp) {
  const parked: string[] = [];
  const made = openMoneyBroker(db, {
    parkForProvider: (problem) => parked.push(problem),
    provider: primary.provider,
    fallbacks: fallbacks.map(({ provider }) => provider),
    breaker: { failures: 2, restMs: 1_000 },
    now: () => new Date(nowMs),
    approver,
    limits: { runMicroUsdSetByPerson: isAgreed },
  });
  opened.push(made.parts.journal.flush);
  const isParked = () => parked.length > 0;
  const targets = () => made.rows().map(({ target, status }) => `${target} ${status}`);
  return { ...made, isParked, targets };
}

describe('a model call whose provider is out of service', () => {
  it.each([
    ['a rate limit', down(429)],
    ['an overload', down(529)],
    ['a broken connection', { broken: 'reset' } as const],
    ['silence', { broken: 'silent' } as const],
  ])('after %s is answered by the fallback, at its own price', async (_what, answer) => {
    const primary = await model('openai', 'gpt-4o', answer);
    const spare = await model('anthropic', 'claude-haiku-4-5', good);
    const { chat, targets, rows, isParked, heard } = setUp({ primary, fallbacks: [spare] });
    expect(await chat()).toMatchObject({ approved: true, response: { text: 'hi' } });
    expect(targets()).toEqual(['openai/gpt-4o failed', 'anthropic/claude-haiku-4-5 done']);
    expect(rows()[1]).toMatchObject({ costMicroUsd: 6_000, reservedMicroUsd: 0 });
    expect(isParked()).toBe(false);
    expect(heard).toContainEqual(
      expect.objectContaining({
        type: 'run.noticed',
        text: 'openai is out of service: anthropic (claude-haiku-4-5) answered instead.',
      }),
    );
  });

  it('goes through the fallbacks in their order, and parks with the first reason if none answers', async () => {
    const primary = await model('openai', 'gpt-4o', down(503));
    const second = await model('openai', 'gpt-4o-mini', down(401));
    const third = await model('anthropic', 'claude-haiku-4-5', down(529));
    const { chat, targets, isParked } = setUp({ primary, fallbacks: [second, third] });
    expect(await chat()).toMatchObject({
      error: { code: 'PROVIDER_FAILED', message: expect.stringContaining('(503)') },
    });
    expect(targets()).toEqual([
      'openai/gpt-4o failed',
      'openai/gpt-4o-mini failed',
      'anthropic/claude-haiku-4-5 failed',
    ]);
    expect(isParked()).toBe(true);
  });

  it('is not answered by another model if the request or the key is at fault', async () => {
    for (const status of [400, 401, 402, 404]) {
      const primary = await model('openai', 'gpt-4o', down(status));
      const spare = await model('anthropic', 'claude-haiku-4-5', good);
      const { chat, isParked } = setUp({ primary, fallbacks: [spare] });
      expect((await chat()).error?.code).toBe('PROVIDER_FAILED');
      expect([spare.server.chats.length, isParked()]).toEqual([0, false]);
    }
  });

  it('calls the fallback immediately while the breaker of its model is open', async () => {
    const primary = await model('openai', 'gpt-4o', down(503));
    const spare = await model('ollama', 'qwen3', good);
    const { chat, targets } = setUp({ primary, fallbacks: [spare] });
    for (let call = 0; call < 2; call++) await chat();
    const before = primary.server.chats.length;
    expect((await chat()).response).toMatchObject({ text: 'hi' });
    expect(primary.server.chats).toHaveLength(before);
    expect(targets().at(-1)).toBe('ollama/qwen3 done');
    expect(targets().filter((one) => one.endsWith('denied'))).toEqual([]);
    primary.answer = good;
    nowMs += 1_000;
    await chat();
    expect(targets().at(-1)).toBe('openai/gpt-4o done');
  });
});

describe('a fallback of another vendor', () => {
  it('is asked about apart from the provider', async () => {
    const primary = await model('openai', 'gpt-4o', down(503));
    const spare = await model('anthropic', 'claude-haiku-4-5', good);
    const { approver, asked } = person('approve');
    const { chat } = setUp({ primary, fallbacks: [spare], approver, isAgreed: false });
    expect((await chat()).response).toMatchObject({ text: 'hi' });
    expect(asked.map(({ target }) => target)).toEqual([
      'openai/gpt-4o',
      'anthropic/claude-haiku-4-5',
    ]);
  });

  it('is skipped if a person denies it: the reason is the provider', async () => {
    const primary = await model('ollama', 'qwen3', down(503));
    const spare = await model('anthropic', 'claude-haiku-4-5', good);
    const { approver } = person('deny');
    const { chat, rows, run, isParked } = setUp({
      primary,
      fallbacks: [spare],
      approver,
      isAgreed: false,
    });
    expect((await chat()).error).toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(rows()[1]).toMatchObject({ status: 'denied', denial: 'provider', reservedMicroUsd: 0 });
    expect([spare.server.chats.length, isParked()]).toEqual([0, true]);
    expect(run.coordinator.tally.denial).toBe('provider');
  });

  it('is skipped if nobody can be asked, and no question stays open', async () => {
    const primary = await model('ollama', 'qwen3', down(503));
    const spare = await model('anthropic', 'claude-haiku-4-5', good);
    const { chat, parts, isParked } = setUp({ primary, fallbacks: [spare], isAgreed: false });
    expect((await chat()).error).toMatchObject({ code: 'PROVIDER_FAILED' });
    expect([spare.server.chats.length, isParked()]).toEqual([0, true]);
    expect(parts.approvals.of('run-1')).toEqual([]);
  });
});

describe('the record of a fallback', () => {
  it('answers the same request again, and is used completely', async () => {
    const primary = await model('openai', 'gpt-4o', down(503));
    const spare = await model('ollama', 'qwen3', good);
    const { chat, rows, targets } = setUp({ primary, fallbacks: [spare] });
    await chat();
    const record = createRecordPool(rows());
    const before = targets();
    expect((await chat('clerk', undefined, record)).response).toMatchObject({ text: 'hi' });
    expect([targets(), record.left()]).toEqual([before, []]);
  });
});

describe('a half-open breaker', () => {
  it.each([
    ['an overload', down(503)],
    ['a rate limit', down(429)],
    ['a broken connection', { broken: 'reset' } as const],
    ['silence', { broken: 'silent' } as const],
  ])('sends one HTTP request, also after %s', async (_what, answer) => {
    const primary = await model('openai', 'gpt-4o', down(503));
    const { chat, rows } = setUp({ primary });
    for (let call = 0; call < 2; call++) await chat();
    nowMs += 1_000;
    primary.answer = answer;
    const before = primary.server.chats.length;
    expect((await chat()).error?.code).toBe('PROVIDER_FAILED');
    expect(primary.server.chats).toHaveLength(before + 1);
    expect((await chat()).error?.code).toBe('provider');
    expect(rows().at(-1)).toMatchObject({ status: 'denied', rule: 'breaker_open' });
  });
});
