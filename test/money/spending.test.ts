import { beforeEach, describe, expect, it } from 'vitest';
import { tableSink } from '../../src/broker/intent/event-table.ts';
import { readCosts } from '../../src/broker/money/cost-report.ts';
import { createRecordPool } from '../../src/broker/recall/record-pool.ts';
import { recoverIntent } from '../../src/broker/recall/recover-intent.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import type { ChatResponse } from '../../src/contract/wire/chat.ts';
import { createRunStore } from '../../src/coordinator/store/runs/run-store.ts';
import type { Db } from '../../src/db/open-database.ts';
import { type Provider, ProviderError } from '../../src/llm/provider.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import type { Approver } from '../setup/broker-parts.ts';
import { addRun } from '../setup/broker-parts.ts';
import { temporaryDatabase } from '../setup/temporary-database.ts';
import { type MoneyBrokerOptions, openMoneyBroker, person } from './money-broker.ts';

let db: Db;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
  addRun(db, 'run-2');
});

type Answer = () => Promise<{ input_tokens: number; output_tokens: number }>;

const answered: Answer = async () => ({ input_tokens: 30, output_tokens: 1_000 });
/** Of one such answer, by the list. */
const COST = 30 * 2.5 + 1_000 * 10;

function provider(answer: Answer = answered, model = 'gpt-4o'): Provider & { calls: number } {
  const made = {
    name: 'openai',
    origin: 'https://api.openai.com',
    isModel: true,
    calls: 0,
    modelFor: () => model,
    contextTokens: async () => undefined,
    listModels: async () => [],
    async chat() {
      made.calls += 1;
      const usage = { cached_input_tokens: 0, ...(await answer()) };
      const response: ChatResponse = { text: 'hi', tool_calls: [], finish: 'stop', model };
      return { response, usage };
    },
    close() {},
  };
  return made;
}

const failing =
  (problem: 'server' | 'timeout' | 'malformed', facts = {}) =>
  async () => {
    throw new ProviderError('openai', 'it failed', { problem, retryable: false, ...facts });
  };

const setUp = (options: Partial<MoneyBrokerOptions> = {}) =>
  openMoneyBroker(db, { provider: provider(), ...options });

const told = <Type extends CapstanEvent['type']>(heard: readonly CapstanEvent[], type: Type) =>
  heard.filter((event): event is Extract<CapstanEvent, { type: Type }> => event.type === type);

/** A question that nobody answers in this process. */
const nobodyYet: Approver = {
  ask: (_question, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
};

const raises = () =>
  db.prepare('SELECT scope, subject, micro_usd AS microUsd FROM budget_raises').all();

describe('a call that might pass a cap', () => {
  it('is refused if nobody can answer, and releases its reservation', async () => {
    const { chat, rows } = setUp({ limits: { runMicroUsd: COST - 1 } });
    expect(await chat()).toMatchObject({ approved: false, error: { code: 'budget' } });
    expect(rows()).toMatchObject([
      { status: 'denied', denial: 'budget', rule: 'run_budget', reservedMicroUsd: 0 },
    ]);
  });

  it('asks a person for a raise, which is recorded and applies to the run', async () => {
    const { approver, asked } = person('approve');
    const limits = { runMicroUsd: 12_000 };
    const first = setUp({ limits, approver });
    const replies = [await first.chat(), await first.chat()];
    expect(replies.map(({ approved }) => approved)).toEqual([true, true]);
    expect(asked.map(({ kind, isForced }) => ({ kind, isForced }))).toEqual([
      { kind: 'raise', isForced: true },
    ]);
    expect(raises()).toEqual([{ scope: 'run', subject: 'run-1', microUsd: 12_000 }]);
    expect(first.parts.approvals.of('run-1')).toMatchObject([{ status: 'consumed' }]);
    const other = setUp({ limits: { runMicroUsd: COST - 1 }, runId: 'run-2' });
    expect(await other.chat()).toMatchObject({ error: { code: 'budget' } });
  });

  it('raises by the approved amount, even if more is missing when the run continues', async () => {
    const limits = { runMicroUsd: 1_000 };
    const cut = new AbortController();
    const waiting = setUp({ limits, approver: nobodyYet });
    const cutOff = waiting.chat('clerk', cut.signal).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    cut.abort();
    await cutOff;
    const [asked] = waiting.rows();
    const [question] = waiting.parts.approvals.of('run-1');
    if (!asked || !question) throw new Error('nothing was asked');
    const { id, binding, costMicroUsd } = question;
    waiting.parts.approvals.decide(id, { answer: 'approve', by: 'cli', binding });
    waiting.parts.journal.save({ ...asked, id: 'other', status: 'done', costMicroUsd: 90_000 });
    const resumed = setUp({ limits, approver: nobodyYet });
    const over = new AbortController();
    const again = resumed.chat('clerk', over.signal, createRecordPool([asked]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(raises()).toMatchObject([{ microUsd: costMicroUsd }]);
    over.abort();
    await again.catch(() => undefined);
  });

  it('is asked about once, however many calls wait, and a denial applies to the run', async () => {
    const { approver, asked } = person('deny');
    const { chat } = setUp({ limits: { runMicroUsd: 100 }, approver });
    const replies = await Promise.all([chat('a'), chat('b'), chat('c')]);
    expect(replies.map(({ error }) => error?.code)).toEqual(['budget', 'budget', 'budget']);
    expect(asked).toHaveLength(1);
    expect(raises()).toEqual([]);
  });

  it.each([
    ['day_budget', { limits: { dayMicroUsd: 100 } }, 'day'],
    ['capsule_run_budget', { capsuleBudgets: new Map([['*', { runMicroUsd: 100 }]]) }, 'capsule'],
    ['capsule_day_budget', { capsuleBudgets: new Map([['*', { dayMicroUsd: 100 }]]) }, 'capsule'],
  ])('is refused by %s, and a raise of it counts', async (rule, options, scope) => {
    const alone = setUp(options);
    await alone.chat();
    expect(alone.rows()).toMatchObject([{ rule, denial: 'budget' }]);
    const { chat } = setUp({ ...options, approver: person('approve').approver });
    expect((await chat()).approved).toBe(true);
    expect(raises()).toMatchObject([{ scope }]);
  });

  it('counts money that others have reserved and not yet spent', async () => {
    let finish = () => {};
    const slow = provider(
      () =>
        new Promise((resolve) => (finish = () => resolve({ input_tokens: 1, output_tokens: 1 }))),
    );
    const { chat } = setUp({ provider: slow, limits: { runMicroUsd: 15_000 } });
    const first = chat();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await chat()).toMatchObject({ error: { code: 'budget' } });
    finish();
    await first;
    const second = chat();
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    expect((await second).approved).toBe(true);
  });
});

describe('the cost of a call', () => {
  it("is the vendor's token count times the price that was known before", async () => {
    const { chat, rows } = setUp();
    await chat();
    expect(rows()).toMatchObject([
      { costMicroUsd: COST, reservedMicroUsd: 0, outputTokens: 1_000 },
    ]);
  });

  it.each([
    ['nothing if the vendor refused it', failing('server', { status: 500 }), 0],
    [
      'what a spoilt answer used',
      failing('malformed', {
        usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 100 },
      }),
      1_000,
    ],
  ])('is %s', async (_what, answer, cost) => {
    const { chat, rows } = setUp({ provider: provider(answer) });
    await chat();
    expect(rows()).toMatchObject([{ status: 'failed', costMicroUsd: cost, reservedMicroUsd: 0 }]);
  });

  it('is all that was reserved if it is unknown whether the vendor answered', async () => {
    const { chat, rows } = setUp({ provider: provider(failing('timeout')) });
    await chat();
    const [row] = rows();
    expect(row?.costMicroUsd).toBeGreaterThanOrEqual(COST);
    expect(row?.outputTokens).toBeGreaterThanOrEqual(1_000);
    expect(row?.reservedMicroUsd).toBe(0);
  });

  it('is marked as estimated, without tokens, if no vendor reported it, also after a crash', async () => {
    const { chat, rows, heard, parts } = setUp({ provider: provider(failing('timeout')) });
    const reply = await chat();
    const [row] = rows();
    const [costs] = readCosts(db, { by: 'run' });
    expect(costs).toMatchObject({
      costMicroUsd: row?.costMicroUsd,
      estimatedMicroUsd: row?.costMicroUsd,
      inputTokens: 0,
      outputTokens: 0,
    });
    expect(createRunStore(db, noSecrets).costOf('run-1')).toMatchObject({
      estimatedMicroUsd: row?.costMicroUsd,
      outputTokens: 0,
    });
    expect(told(heard, 'model.answered')).toMatchObject([
      { output_tokens: 0, estimated_cost_usd: (row?.costMicroUsd ?? 0) / 1e6 },
    ]);
    expect(reply).not.toHaveProperty('estimated');
    if (!row) throw new Error('no call was made');
    const dead = { ...row, status: 'started', reservedMicroUsd: 7, reservedTokens: 9 } as const;
    const run = { workspace: '/w', policyVersion: 'v1' };
    expect(recoverIntent(dead, { ...parts, run, capsuleHash: '' }).outcome).toMatchObject({
      estimated: { micro_usd: 7, tokens: 9 },
    });
  });

  it.each([
    ['invalid', /^openai reported a number of tokens that can't be true/],
    ['too_large', /^openai reported far more tokens than the call could use/],
  ] as const)(
    'is told to the person, once, if it was estimated because the reported usage is %s',
    async (misreport, text) => {
      const one = provider();
      const lying: Provider = {
        ...one,
        chat: async (...args) => ({
          ...(await one.chat(...args)),
          ...{ isEstimated: true, misreport },
        }),
      };
      const { chat, heard } = setUp({ provider: lying });
      for (let n = 0; n < 3; n++) await chat();
      expect(told(heard, 'run.noticed')).toMatchObject([{ text: expect.stringMatching(text) }]);
      expect(told(heard, 'model.answered')).toMatchObject(
        Array(3).fill({ estimated_cost_usd: COST / 1e6 }),
      );
    },
  );

  it('counts against a cap of tokens, too, if it is unknown whether the vendor answered', async () => {
    const slow = provider(failing('timeout'));
    const { chat } = setUp({ provider: slow, limits: { runTokens: 3_000 } });
    for (let n = 0; n < 8; n++) await chat();
    expect(slow.calls).toBe(2);
  });

  it('stays with its day if a crash interrupted the call and it may be repeated', async () => {
    const { chat, rows, parts } = setUp();
    await chat();
    const [row] = rows();
    if (!row) throw new Error('no call was made');
    const started = { ...row, kind: 'http', status: 'started', repeatability: 'pure' } as const;
    const run = { workspace: '/w', policyVersion: 'v1' };
    const again = recoverIntent(started, { ...parts, run, capsuleHash: '' });
    expect(again).toMatchObject({ status: 'proposed', startedAt: row.startedAt });
    expect(
      recoverIntent({ ...started, costMicroUsd: 0 }, { ...parts, run, capsuleHash: '' }),
    ).toMatchObject({
      startedAt: null,
    });
  });

  it('counts every try, and a further try is reserved first', async () => {
    const usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 1_000 };
    const facts = { problem: 'malformed', retryable: true, retryAfterMs: 1, usage } as const;
    const spoilt = provider(async () => {
      throw new ProviderError('openai', 'no JSON', facts);
    });
    const { chat, rows } = setUp({ provider: spoilt, limits: { runMicroUsd: 25_000 } });
    await chat();
    expect(spoilt.calls).toBe(2);
    expect(rows()).toMatchObject([{ status: 'failed', costMicroUsd: 20_000 }]);
  });

  it('is known after a crash: sent calls count in full, unsent ones are released', async () => {
    const { chat, rows, parts } = setUp({ provider: provider(() => new Promise(() => {})) });
    void chat();
    await new Promise((resolve) => setImmediate(resolve));
    const [started] = rows();
    if (!started) throw new Error('nothing was started');
    const run = { workspace: '/w', policyVersion: 'v1' };
    const dead = (status: 'started' | 'waiting' | 'proposed') =>
      recoverIntent({ ...started, status }, { ...parts, run, capsuleHash: '' });
    expect(started.reservedMicroUsd).toBeGreaterThanOrEqual(COST);
    expect(dead('started').costMicroUsd).toBe(started.reservedMicroUsd);
    for (const status of ['started', 'waiting', 'proposed'] as const) {
      expect(dead(status)).toMatchObject({ reservedMicroUsd: 0, reservedTokens: 0 });
    }
    expect(dead('waiting').costMicroUsd).toBe(0);
  });
});

describe('a consent to spend that is remembered', () => {
  it('applies to the next run, whichever capsule asks', async () => {
    const terms = { scope: 'capsule', pattern: 'exact:x', expiresAt: null, maxUses: null } as const;
    const approver: Approver = {
      ask: async () => ({ answer: 'approve', by: 'terminal', remember: terms }),
    };
    const limits = { runMicroUsdSetByPerson: false };
    expect((await setUp({ approver, limits }).chat()).approved).toBe(true);
    const next = setUp({ approver: nobodyYet, limits, runId: 'run-2' });
    expect((await next.chat('other')).approved).toBe(true);
    expect(next.parts.approvals.of('run-2')).toMatchObject([
      { kind: 'spend', answeredBy: expect.stringMatching(/^remembered:/) },
    ]);
  });
});

describe('a model without a price', () => {
  const PLENTY = { runMicroUsd: 100_000_000, dayMicroUsd: 100_000_000 };
  const unknown = () => provider(answered, 'gpt-that-nobody-knows');

  it('asks once per run, with the reason, even if a budget was set, and uses the highest price', async () => {
    const { approver, asked } = person('approve');
    const { chat, rows } = setUp({ provider: unknown(), approver, limits: PLENTY });
    await Promise.all([chat(), chat()]);
    await chat();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ kind: 'spend', isForced: false });
    expect(asked[0]?.question).toContain('its price is not known');
    for (const { costMicroUsd } of rows()) expect(costMicroUsd).toBeGreaterThan(COST * 10);
  });

  it('stores the answer for the run in its row, for the next process too', async () => {
    const { approver, asked } = person('approve');
    await setUp({ provider: unknown(), approver, limits: PLENTY }).chat();
    const later = setUp({ provider: unknown(), approver, limits: PLENTY });
    expect((await later.chat()).approved).toBe(true);
    expect(asked).toHaveLength(1);
    const { approver: other, asked: again } = person('approve');
    await setUp({ provider: unknown(), approver: other, runId: 'run-2' }).chat();
    expect(again).toHaveLength(1);
  });
});

describe('a wait for consent that ends without an answer', () => {
  it('releases the reservation, and the question stays open', async () => {
    const limits = { runMicroUsdSetByPerson: false };
    const { chat, rows, parts } = setUp({ approver: nobodyYet, limits });
    const ending = new AbortController();
    const reply = chat('clerk', ending.signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rows()[0]?.reservedMicroUsd).toBeGreaterThanOrEqual(COST);
    ending.abort();
    expect(await reply).toMatchObject({ approved: false, error: { code: 'CANCELLED' } });
    expect(rows()).toMatchObject([{ status: 'waiting', reservedMicroUsd: 0, reservedTokens: 0 }]);
    expect(parts.approvals.pending()).toMatchObject([{ kind: 'spend', status: 'pending' }]);
  });
});

describe('a warning', () => {
  it('comes once per run and limit, when 80 percent are spent', async () => {
    const { chat, heard } = setUp({ limits: { runMicroUsd: 37_000 } });
    for (let call = 0; call < 4; call++) await chat();
    expect(told(heard, 'budget.warned')).toMatchObject([
      { rule: 'run_budget', unit: 'usd', used: (3 * COST) / 1e6, limit: 0.037 },
    ]);
  });

  it('does not come again in a later process of the run', async () => {
    const limits = { runMicroUsd: 37_000 };
    const first = setUp({ limits });
    for (let call = 0; call < 3; call++) await first.chat();
    const warned = told(first.heard, 'budget.warned');
    tableSink(db)(warned.map((event) => ({ run_id: event.run_id, text: JSON.stringify(event) })));
    const later = setUp({ limits: { ...limits, runMicroUsd: 37_000 } });
    later.parts.journal.flush();
    db.prepare('DELETE FROM intents WHERE id = (SELECT max(id) FROM intents)').run();
    await later.chat();
    expect(told(later.heard, 'budget.warned')).toEqual([]);
  });

  it('comes for tokens too', async () => {
    const { chat, heard } = setUp({ limits: { runTokens: 2_500 } });
    await chat();
    await chat();
    expect(told(heard, 'budget.warned')).toMatchObject([
      { rule: 'token_budget', unit: 'tokens', used: 2_060, limit: 2_500 },
    ]);
  });
});
