import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { followEvents } from '../src/coordinator/follow-events.ts';
import { openStores, type Stores } from '../src/coordinator/open-stores.ts';
import { ownIdentity } from '../src/coordinator/process-identity.ts';
import { noSecrets } from '../src/policy/redact.ts';
import { addRun } from '../test/broker-parts.ts';
import { median } from './cpu-time.ts';
import type { BenchOptions, Row } from './row.ts';

const RUN = 'run-1';
const program = join(import.meta.dirname, 'follow-program.ts');

/** How long an event of another process takes from its commit to its follower, and what following costs at rest. */
export async function measureFollow({ smoke }: BenchOptions): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const stores = openStores(dir, { redactor: noSecrets });
  try {
    addRun(stores.db, RUN);
    stores.db.prepare('UPDATE runs SET owner = ? WHERE id = ?').run(ownIdentity(), RUN);
    return [await latencyRow(stores, dir, smoke ? 20 : 150), await restRow(dir, smoke ? 2 : 9)];
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
  for await (const { seq } of followEvents(stores, RUN)) {
    delivered.push(Date.now());
    if (seq === count) break;
  }
  const each = (await committed).map((at, index) => (delivered[index] ?? Number.NaN) - at);
  return each.sort((left, right) => left - right);
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

/** What the program prints, one number a line. */
async function numbersOf(mode: 'write' | 'rest', dir: string, count: number): Promise<number[]> {
  const argv = ['--import', import.meta.resolve('tsx'), program, mode, dir, String(count)];
  const { stdout } = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const numbers: number[] = [];
  for await (const line of createInterface({ input: stdout })) numbers.push(Number(line));
  return numbers;
}
