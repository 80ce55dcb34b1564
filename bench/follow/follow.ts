import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepDeltas } from '../../src/app/wiring/records/keep-events.ts';
import { createTextSender } from '../../src/broker/calls/send-text.ts';
import type { IntentRecord } from '../../src/contract/intent.ts';
import { followEvents } from '../../src/coordinator/events/follow-events.ts';
import { ownIdentity } from '../../src/coordinator/life/process-identity.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { createEventBus } from '../../src/events/bus.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { addRun } from '../../test/setup/broker-parts.ts';
import { median } from '../measure/cpu-time.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

const RUN = 'run-1';
/** After every event. */
const LAST = Number.MAX_SAFE_INTEGER;
const program = join(import.meta.dirname, 'follow-program.ts');

/**
 * How long an event of another process takes from its commit to its follower, and the cost of following an idle run.
 */
export async function measureFollow({ smoke }: BenchOptions): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const stores = openStores(dir, { redactor: noSecrets });
  try {
    addRun(stores.db, RUN);
    stores.db.prepare('UPDATE runs SET owner = ? WHERE id = ?').run(ownIdentity(), RUN);
    const count = smoke ? 10 : 150;
    return [
      await latencyRow(stores, dir, count),
      await otherDeltaRow(stores, dir, count),
      await ownDeltaRow(stores, count),
      await restRow(dir, smoke ? 1 : 9),
    ];
  } finally {
    stores.close();
    rmSync(dir, { recursive: true });
  }
}

async function latencyRow(stores: Stores, dir: string, count: number): Promise<Row> {
  const each = await latencies(stores, dir, count);
  const at = (share: number) => each[Math.floor(each.length * share)] ?? Number.NaN;
  return {
    what: 'an event of another process reaches its follower after its commit (p95)',
    goal: 50,
    gate: 100,
    value: at(0.95),
    unit: 'ms',
    detail: `p50 ${at(0.5).toFixed(0)} ms, longest ${each.at(-1)} ms`,
  };
}

/** Ascending. Both processes read the same clock. */
async function latencies(stores: Stores, dir: string, count: number): Promise<readonly number[]> {
  const committed = numbersOf('write', dir, count);
  const delivered: number[] = [];
  for await (const one of followEvents(stores, RUN)) {
    delivered.push(Date.now());
    if ('seq' in one && one.seq === count) break;
  }
  const each = (await committed).map((at, index) => (delivered[index] ?? Number.NaN) - at);
  return each.sort((left, right) => left - right);
}

async function otherDeltaRow(stores: Stores, dir: string, count: number): Promise<Row> {
  const sent = numbersOf('stream', dir, count);
  const delivered: number[] = [];
  for await (const one of followEvents(stores, RUN, { deltas: true, after: LAST })) {
    if (!('seq' in one)) delivered.push(Date.now());
    if (delivered.length === count) break;
  }
  const times = (await sent).map((at, index) => (delivered[index] ?? Number.NaN) - at);
  return deltaRow('another process', { goal: 50, gate: 100 }, times);
}

async function ownDeltaRow(stores: Stores, count: number): Promise<Row> {
  stores.deltas.removeRun(RUN);
  const events = createEventBus(stores.now, { clean: (event) => event });
  keepDeltas(events, stores);
  const times: number[] = [];
  const followed = followEvents(stores, RUN, { deltas: true, after: LAST });
  for (let at = 0; at < count; at++) {
    const next = followed.next();
    await sleep(60);
    const began = performance.now();
    const intent = { id: `own-${at}`, runId: RUN, subtaskId: 's1', capsuleId: 'c' };
    const sender = createTextSender('model.delta', intent as IntentRecord, {
      events,
      redactor: noSecrets,
    });
    sender.add('A piece.');
    await next;
    times.push(performance.now() - began);
  }
  await followed.return();
  return deltaRow('the same process', { goal: 20, gate: 40 }, times);
}

function deltaRow(where: string, limits: Pick<Row, 'goal' | 'gate'>, times: number[]): Row {
  const each = times.sort((left, right) => left - right);
  const at = (share: number) => each[Math.floor(each.length * share)] ?? Number.NaN;
  return {
    what: `the first piece of an answer reaches a follower in ${where} (p95)`,
    ...limits,
    value: at(0.95),
    unit: 'ms',
    detail: `p50 ${at(0.5).toFixed(1)} ms, longest ${each.at(-1)?.toFixed(1)} ms`,
  };
}

async function restRow(dir: string, seconds: number): Promise<Row> {
  const each = await numbersOf('rest', dir, seconds);
  const micros = median(each);
  return {
    what: 'following a run in which nothing happens (% of one core)',
    goal: 0.5,
    gate: 1,
    value: micros / 10_000,
    unit: '%',
    detail: `${(micros / 1_000).toFixed(1)} ms CPU per second, the median of ${each.length} seconds`,
  };
}

/** The numbers that the program prints, one per line. */
async function numbersOf(
  mode: 'write' | 'rest' | 'stream',
  dir: string,
  count: number,
): Promise<number[]> {
  const argv = ['--import', import.meta.resolve('tsx'), program, mode, dir, String(count)];
  const { stdout } = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const numbers: number[] = [];
  for await (const line of createInterface({ input: stdout })) numbers.push(Number(line));
  return numbers;
}
