import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { createBroker } from '../src/broker/broker.ts';
import { defineTool, type Operation } from '../src/tools/tool.ts';
import { openBrokerGround } from './broker-ground.ts';
import { asker, measureOurs, measureRaw, median } from './round-trip.ts';

const ROUNDS = 7;
const EFFECTS = 300;

/** Does nothing; `read` has no effect, `write` has one that pays for its rows. */
const noop = defineTool({
  name: 'file_io',
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

type Ground = Awaited<ReturnType<typeof openBrokerGround>>;

/** The same loop twice, in microseconds a trip: bare lines of JSON, and brokered with a journal. */
async function measureTrips(dir: string, { parts, scopeOf }: Ground) {
  const broker = createBroker(parts);
  const raw: number[] = [];
  const brokered: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(await measureRaw(dir));
    const scope = scopeOf();
    brokered.push(await measureOurs(dir, (intent) => broker.answer(intent, scope)));
  }
  return { raw: median(raw), brokered: median(brokered) };
}

/** Milliseconds of one intent with an effect, and of as many bare synced commits as it makes: two. */
async function measureEffects({ db, parts, scopeOf }: Ground) {
  const broker = createBroker(parts);
  const scope = scopeOf();
  db.exec('CREATE TABLE bare (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare('INSERT INTO bare (text) VALUES (?)');
  const text = 'x'.repeat(600);
  const commit = db.transaction(() => insert.run(text));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let at = 0; at < EFFECTS; at++) {
    const began = performance.now();
    commit.immediate();
    commit.immediate();
    const between = performance.now();
    const args = { operation: 'write', path: `${at}`, max_bytes: 1 };
    const intent = { type: 'tool_call_intent', tool: 'file_io', args, reason: '' } as const;
    const reply = await broker.answer(intent, scope);
    if ('ok' in reply && !reply.ok) throw new Error(JSON.stringify(reply));
    bare.push(between - began);
    ours.push(performance.now() - between);
  }
  return { bare: median(bare), effect: median(ours) };
}

async function main() {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(dir, 'asker.cjs'), asker);
  const ground = await openBrokerGround(dir, [noop]);
  try {
    const trips = await measureTrips(dir, ground);
    console.log(JSON.stringify({ ...trips, ...(await measureEffects(ground)) }));
  } finally {
    ground.parts.journal.flush();
    ground.db.close();
    rmSync(dir, { recursive: true });
  }
}

void main();
