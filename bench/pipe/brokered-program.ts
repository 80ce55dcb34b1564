import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { createBroker } from '../../src/broker/answer.ts';
import type { IntentRecord } from '../../src/contract/intent.ts';
import type { Operation } from '../../src/contract/permissions/operation.ts';
import type { IntentReply } from '../../src/contract/wire/coordinator-messages.ts';
import { uuidv7 } from '../../src/db/uuidv7.ts';
import { defineTool } from '../../src/tools/define/tool.ts';
import { openBareCommits } from '../measure/bare-commits.ts';
import { openRealBroker } from '../measure/real-broker.ts';
import { repetitions } from '../measure/row.ts';
import { asker, measureOurs, measureRaw, median, reply } from './round-trip.ts';

const ROUNDS = repetitions(7, 1);
/** Enough for V8 to compile the path of an effect, as the path of a read is by then. */
const EFFECTS = repetitions(3_000, 100);

/** Does nothing; `read` has no effect, `write` has one, so its rows are synced. */
const noop = defineTool({
  name: 'file_io',
  effects: 'local',
  operations: ['read', 'write'],
  description: '',
  args: () =>
    z.strictObject({
      operation: z.enum(['read', 'write']),
      path: z.string(),
      max_bytes: z.int(),
    }),
  operation: ({ operation }): Omit<Operation, 'tool'> => ({
    name: `file_io.${operation}`,
    tier: operation === 'read' ? 0 : 1,
    repeatability: operation === 'read' ? 'pure' : 'unsafe',
    paths: [],
    target: '',
  }),
  perform: async () => ({ result: 'content of the file' }),
});

type RealBroker = Awaited<ReturnType<typeof openRealBroker>>;

/**
 * The same loop three times, in microseconds per round trip: bare lines of JSON; brokered; and through the runner with
 * prepared rows journaled, so that the difference is the cost of the decisions.
 */
async function measureTrips(dir: string, { parts, scopeOf }: RealBroker) {
  const { journal } = parts;
  const broker = createBroker(parts);
  const times = { raw: [] as number[], brokered: [] as number[], rows: [] as number[] };
  let done: IntentRecord | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    times.raw.push(await measureRaw(dir));
    const scope = scopeOf();
    times.brokered.push(await measureOurs(dir, (intent) => broker.answer(intent, scope)));
    // Read once: thousands of rows would be garbage that later round trips must collect.
    done ??= journal.intentsOf(scope.run.id)[0];
    if (!done) throw new Error('nothing was journaled');
    const row = done;
    const saveRow = async (): Promise<IntentReply> => {
      journal.saveSoon({ ...row, id: uuidv7() });
      return reply;
    };
    times.rows.push(await measureOurs(dir, saveRow));
  }
  return { raw: median(times.raw), brokered: median(times.brokered), rows: median(times.rows) };
}

/**
 * Milliseconds of one intent with an effect, and of the two commits that it needs, with the same prepared rows. The
 * number of synced pages depends on the rows (an intent and its audit line use five), so commits of one small row would
 * measure the schema and the disk; they are shown separately.
 */
async function measureEffects({ db, parts, scopeOf }: RealBroker, dir: string) {
  const broker = createBroker(parts);
  const scope = scopeOf();
  const perform = async (path: string) => {
    const args = { operation: 'write', path, max_bytes: 1 };
    const intent = { type: 'tool_call_intent', tool: 'file_io', args, reason: '' } as const;
    const reply = await broker.answer(intent, scope);
    if ('ok' in reply && !reply.ok) throw new Error(JSON.stringify(reply));
  };
  await perform('first');
  const bare = openBareCommits(join(dir, 'bare.db'), db);
  const times = { small: [] as number[], bare: [] as number[], effect: [] as number[] };
  for (let at = 0; at < EFFECTS; at++) {
    const marks = [performance.now()];
    bare.commitSmall();
    marks.push(performance.now());
    bare.commitRows();
    marks.push(performance.now());
    await perform(`${at}`);
    marks.push(performance.now());
    const [began = 0, small = 0, rows = 0, end = 0] = marks;
    times.small.push(small - began);
    times.bare.push(rows - small);
    times.effect.push(end - rows);
  }
  bare.close();
  return {
    small: median(times.small),
    bare: median(times.bare),
    effect: median(times.effect),
  };
}

async function main() {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(dir, 'asker.cjs'), asker);
  const real = await openRealBroker(dir, [noop]);
  try {
    const trips = await measureTrips(dir, real);
    console.log(JSON.stringify({ ...trips, ...(await measureEffects(real, dir)) }));
  } finally {
    real.parts.journal.flush();
    real.db.close();
    rmSync(dir, { recursive: true });
  }
}

void main();
