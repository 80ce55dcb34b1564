import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/open-database.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { startProgram } from '../programs/start-program.ts';
import { addRun } from '../setup/broker-parts.ts';
import { temporaryDatabase } from '../setup/temporary-database.ts';
import type { Race } from './race-program.ts';

let dir: string;
let db: Db;
let server: ModelServer;
let delayMs: number;
beforeEach(async () => {
  delayMs = 5;
  ({ dir, db } = temporaryDatabase());
  for (const run of ['run-0', 'run-1', 'run-2', 'run-3', 'run-4']) addRun(db, run);
  server = await startModelServer({
    vendor: 'openai',
    // The maximum output: the reservation is nearly all needed.
    script: () => ({ text: 'hi', usage: { input_tokens: 30, output_tokens: 1_000 }, delayMs }),
  });
});
afterEach(async () => {
  await server.close();
});

/** By the list: 2.50 and 10 dollars a million tokens. */
const COST = 30 * 2.5 + 1_000 * 10;
const CAPSULES = 50;
const PROCESSES = 5;

/** Starts the processes, releases them at the same time, and returns how every call ended. */
async function race(optionsOf: (process: number) => Partial<Race>): Promise<string[]> {
  const started = await Promise.all(
    Array.from({ length: PROCESSES }, (_, at) =>
      start({
        path: join(dir, 'capstan.db'),
        baseUrl: server.baseUrl,
        runId: 'run-1',
        capsules: Array.from({ length: CAPSULES / PROCESSES }, (__, n) => `capsule-${at}-${n}`),
        runMicroUsd: 100_000_000,
        dayMicroUsd: 100_000_000,
        ...optionsOf(at),
      }),
    ),
  );
  for (const { go } of started) go();
  return (await Promise.all(started.map(({ ended }) => ended))).flat();
}

async function start(race: Race) {
  const child = startProgram('race', [JSON.stringify(race)]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const go = () => child.stdin.write('go\n');
  const ended = lines.next().then(({ value }) => JSON.parse(String(value)) as string[]);
  return { go, ended };
}

const spent = (where = '1 = 1') =>
  db
    .prepare<[], { cost: number; reserved: number; tokens: number }>(
      `SELECT sum(cost_micro_usd) AS cost, sum(reserved_micro_usd) AS reserved,
        sum(input_tokens + output_tokens) AS tokens FROM intents WHERE ${where}`,
    )
    .get();

const count = (endings: readonly string[], code: string) =>
  endings.filter((one) => one === code).length;

describe(`${CAPSULES} capsules in ${PROCESSES} processes, against a cap`, () => {
  it('of the run never pass it, and spend nearly all of it', async () => {
    const cap = Math.round(20.5 * COST);
    const endings = await race(() => ({ runMicroUsd: cap }));
    const { cost = 0, reserved } = spent() ?? {};
    expect({ overshoot: Math.max(0, cost - cap), reserved }).toEqual({ overshoot: 0, reserved: 0 });
    expect(cost).toBe(count(endings, 'ok') * COST);
    expect(count(endings, 'ok')).toBeGreaterThanOrEqual(15);
    expect(count(endings, 'ok') + count(endings, 'budget')).toBe(CAPSULES);
    expect(server.chats).toHaveLength(count(endings, 'ok'));
  });

  it('of the day are never exceeded, with a separate run in each process', async () => {
    const cap = Math.round(20.5 * COST);
    const endings = await race((at) => ({ runId: `run-${at}`, dayMicroUsd: cap }));
    expect(spent()?.cost).toBeLessThanOrEqual(cap);
    expect(spent()?.cost).toBe(count(endings, 'ok') * COST);
    expect(count(endings, 'ok')).toBeGreaterThanOrEqual(15);
  });

  it('of tokens never pass it', async () => {
    const endings = await race(() => ({ runTokens: 20_500 }));
    expect(spent()?.tokens).toBeLessThanOrEqual(20_500);
    expect(count(endings, 'ok')).toBeGreaterThanOrEqual(15);
    expect(count(endings, 'budget')).toBe(CAPSULES - count(endings, 'ok'));
  });

  it('of one capsule are never exceeded, in whichever process it calls', async () => {
    const cap = Math.round(2.5 * COST);
    const capsules = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'];
    await race(() => ({ capsules, capsuleRunMicroUsd: cap }));
    for (const id of ['a', 'b']) {
      const cost = spent(`capsule_id = '${id}'`)?.cost;
      expect(cost).toBeLessThanOrEqual(cap);
      expect(cost).toBeGreaterThanOrEqual(COST);
    }
  });
});

it('a provider that has rested is tried by one call of one process', async () => {
  delayMs = 3_000;
  const rested = new Date(Date.now() - 60_000).toISOString();
  db.prepare("INSERT INTO breakers VALUES ('openai', 'gpt-4o', 5, ?, NULL, 'it was down')").run(
    rested,
  );
  const endings = await race(() => ({}));
  expect([count(endings, 'ok'), count(endings, 'provider')]).toEqual([1, CAPSULES - 1]);
  expect(server.chats).toHaveLength(1);
  expect(db.prepare('SELECT * FROM breakers').all()).toEqual([]);
});
