import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/open-database.ts';
import { openProvider } from '../../src/llm/providers.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ScriptedAnswer } from '../model-server/script.ts';
import { addRun } from '../setup/broker-parts.ts';
import { temporaryDatabase } from '../setup/temporary-database.ts';
import { asVendor, openMoneyBroker, person } from './money-broker.ts';

let db: Db;
let server: ModelServer;
let answer: ScriptedAnswer;
let nowMs: number;
const opened: { close(): void }[] = [];
beforeEach(async () => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
  nowMs = Date.parse('2026-01-01T12:00:00Z');
  server = await startModelServer({ vendor: 'openai', script: () => answer });
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  await server.close();
});

const good: ScriptedAnswer = { text: 'hi' };
/** Without retries, so that one call is one request. */
const down = (status: number): ScriptedAnswer => ({
  status,
  body: { error: { message: 'it failed' } },
  headers: { 'x-should-retry': 'false' },
});

async function setUp(
  changes: {
    isFree?: boolean;
    approver?: ReturnType<typeof person>['approver'];
    ask?: boolean;
  } = {},
) {
  const real = await openProvider('openai', {
    keys: { openai: 'key-of-the-test' },
    baseUrl: server.baseUrl,
    models: { fast: 'gpt-4o' },
  });
  opened.push(real);
  const made = openMoneyBroker(db, {
    provider: changes.isFree ? real : asVendor(real),
    breaker: { failures: 3, restMs: 1_000 },
    now: () => new Date(nowMs),
    approver: changes.approver,
    limits: { runMicroUsdSetByPerson: !changes.ask },
  });
  opened.push({ close: made.parts.journal.flush });
  return made;
}

const codeOf = async (reply: Promise<{ error?: { code: string } | undefined }>) =>
  (await reply).error?.code ?? 'ok';

describe('a provider that fails', () => {
  it.each([true, false])(
    'rests after failures in a row, is tried by one call, and answers again (free: %s)',
    async (isFree) => {
      const { chat, heard, rows } = await setUp({ isFree });
      answer = down(500);
      for (let call = 0; call < 3; call++) expect(await codeOf(chat())).toBe('PROVIDER_FAILED');
      expect(await codeOf(chat())).toBe('provider');
      expect(rows().at(-1)).toMatchObject({ status: 'denied', rule: 'breaker_open', step: 1 });
      expect(server.chats).toHaveLength(3);
      nowMs += 1_000;
      expect(await codeOf(chat())).toBe('PROVIDER_FAILED');
      expect(await codeOf(chat())).toBe('provider');
      nowMs += 1_000;
      answer = { ...good, delayMs: 30 };
      const [tried, ...others] = await Promise.all([chat(), chat(), chat()].map(codeOf));
      expect([tried, ...others]).toEqual(['ok', 'provider', 'provider']);
      expect(await codeOf(chat())).toBe('ok');
      const changes = heard.map(({ type }) => type).filter((type) => type.startsWith('breaker.'));
      expect(changes).toEqual(['breaker.opened', 'breaker.opened', 'breaker.closed']);
    },
  );

  it.each([400, 401, 403, 404, 402])(
    'is not paused for %i, which the caller has to fix',
    async (status) => {
      const { chat, breakers } = await setUp();
      answer = down(status);
      for (let call = 0; call < 4; call++) expect(await codeOf(chat())).toBe('PROVIDER_FAILED');
      expect(breakers.list()).toEqual([]);
    },
  );

  it.each([429, 500, 503, 529])('counts %i', async (status) => {
    const { chat, breakers } = await setUp();
    answer = down(status);
    await chat();
    expect(breakers.list()).toMatchObject([{ provider: 'openai', model: 'gpt-4o', failures: 1 }]);
  });

  it('counts from nought after an answer', async () => {
    const { chat } = await setUp();
    for (let round = 0; round < 3; round++) {
      answer = down(500);
      await chat();
      await chat();
      answer = good;
      expect(await codeOf(chat())).toBe('ok');
    }
  });

  it('releases the probe if its result says nothing about the provider', async () => {
    const { chat } = await setUp();
    answer = down(500);
    for (let call = 0; call < 3; call++) await chat();
    nowMs += 1_000;
    answer = down(401);
    expect(await codeOf(chat())).toBe('PROVIDER_FAILED');
    answer = good;
    expect(await codeOf(chat())).toBe('ok');
  });

  it('counts no denial by a person or the policy', async () => {
    answer = good;
    const { chat, breakers } = await setUp({ ask: true, approver: person('deny').approver });
    for (let call = 0; call < 5; call++) expect(await codeOf(chat())).toBe('denied');
    expect(breakers.list()).toEqual([]);
  });

  it('writes a line to the audit when it opens and closes', async () => {
    const { chat } = await setUp();
    answer = down(500);
    for (let call = 0; call < 3; call++) await chat();
    nowMs += 1_000;
    answer = good;
    await chat();
    const lines = db
      .prepare("SELECT action FROM audit WHERE action LIKE 'breaker.%'")
      .pluck()
      .all();
    expect(lines).toEqual(['breaker.opened', 'breaker.closed']);
  });
});
