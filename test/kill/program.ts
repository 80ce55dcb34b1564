import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openContext } from '../../src/app/context/open-context.ts';
import { resumeRun } from '../../src/app/runs/start/resume-run.ts';
import { startRun } from '../../src/app/runs/start/start-run.ts';
import { processEnvironment } from '../../src/config/places.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import type { RunCapsuleOptions } from '../../src/runtime/runner.ts';
import { runCapsuleInMemory } from '../capsules/in-memory.ts';
import { handlers } from './clerk/work.cjs';
import type { Fault, Faulty } from './fault-at.ts';

/**
 * A process of the run that the sweep kills: starts the run, or resumes it if it is parked. Prints, as one JSON
 * line each, the questions that it asks and how the run ended. `life` is one run, of `KILL_TASK`; with `KILL_IN_MEMORY`
 * capsules run inside this process. `lives` are runs one after another, each a `LifeRequest` on a line of stdin.
 */
export type Said =
  | { readonly type: 'asked'; readonly id: string }
  | { readonly type: 'ended'; readonly status: string; readonly reason: string | null }
  | { readonly type: 'broke'; readonly message: string };

/** What `stop-at.ts` prints for it: it stops. */
export interface Stopped {
  readonly type: 'stopped';
  readonly point: number;
}

export interface LifeRequest {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Capsules run inside this process. */
  readonly isInMemory: boolean;
  /** In a process that has loaded `fault-at.ts`. */
  readonly fault?: Fault | undefined;
}

const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`);

const handlersByKind = () => handlers;

/** Somebody can answer, from another process. */
async function carryOn({
  env,
  cwd,
  isInMemory,
}: LifeRequest): Promise<Pick<RunRecord, 'status' | 'reason'>> {
  const context = await openContext({ env, cwd, presence: () => true });
  context.events.listen((event) => {
    if (event.type === 'approval.asked') say({ type: 'asked', id: event.approval_id });
  });
  const runCapsule = isInMemory
    ? (options: RunCapsuleOptions) => runCapsuleInMemory(options, handlersByKind)
    : undefined;
  try {
    const [known] = (await context.stores()).runs.list({ limit: 1 });
    if (known && known.status !== 'parked') return known;
    const run = known
      ? await resumeRun(context, known.id, { runCapsule })
      : await startRun(context, { task: env['KILL_TASK'] ?? '', runCapsule });
    await run.finished;
    return (await context.stores()).runs.find(run.id) ?? { status: 'failed', reason: null };
  } finally {
    await context.close();
  }
}

/** Returns the exit code. */
async function live(request: LifeRequest): Promise<number> {
  (globalThis as Faulty).setFault?.(request.fault);
  try {
    const { status, reason } = await carryOn(request);
    say({ type: 'ended', status, reason });
    return 0;
  } catch (error) {
    say({ type: 'broke', message: error instanceof Error ? (error.stack ?? '') : String(error) });
    return 1;
  }
}

/** What the launcher calls. Returns the exit code. */
export async function main([word]: readonly string[]): Promise<number> {
  const env = processEnvironment();
  const isInMemory = env['KILL_IN_MEMORY'] !== undefined;
  if (word === 'life') return live({ env, cwd: process.cwd(), isInMemory });
  for await (const line of createInterface({ input: process.stdin }))
    await live(JSON.parse(line) as LifeRequest);
  return 0;
}
