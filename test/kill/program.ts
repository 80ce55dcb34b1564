import { writeSync } from 'node:fs';
import { openContext } from '../../src/app/context/open-context.ts';
import { resumeRun } from '../../src/app/runs/start/resume-run.ts';
import { startRun } from '../../src/app/runs/start/start-run.ts';
import { processEnvironment } from '../../src/config/places.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import type { RunCapsuleOptions } from '../../src/runtime/runner.ts';
import { runCapsuleInMemory } from '../capsules/in-memory.ts';
import { handlers } from './clerk/work.cjs';

/**
 * One process of the run that the sweep kills: starts the run, or resumes it if it is parked. Prints, as one JSON
 * line each, the questions that it asks and how the run ended. `KILL_TASK` is the task; with `KILL_IN_MEMORY` capsules run
 * inside this process.
 */
export type Said =
  | { readonly type: 'asked'; readonly id: string }
  | { readonly type: 'ended'; readonly status: string; readonly reason: string | null }
  | { readonly type: 'broke'; readonly message: string };

const { KILL_TASK: task = '', KILL_IN_MEMORY: inMemory } = process.env;

const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`);

const handlersByKind = () => handlers;

/** Somebody can answer, from another process. */
async function live(): Promise<Pick<RunRecord, 'status' | 'reason'>> {
  const env = processEnvironment();
  const context = await openContext({ env, cwd: process.cwd(), presence: () => true });
  context.events.listen((event) => {
    if (event.type === 'approval.asked') say({ type: 'asked', id: event.approval_id });
  });
  const runCapsule = inMemory
    ? (options: RunCapsuleOptions) => runCapsuleInMemory(options, handlersByKind)
    : undefined;
  try {
    const [known] = (await context.stores()).runs.list({ limit: 1 });
    if (known && known.status !== 'parked') return known;
    const run = known
      ? await resumeRun(context, known.id, { runCapsule })
      : await startRun(context, { task, runCapsule });
    await run.finished;
    return (await context.stores()).runs.find(run.id) ?? { status: 'failed', reason: null };
  } finally {
    await context.close();
  }
}

/** What the launcher calls. Returns the exit code. */
export async function main(): Promise<number> {
  try {
    const { status, reason } = await live();
    say({ type: 'ended', status, reason });
    return 0;
  } catch (error) {
    say({ type: 'broke', message: error instanceof Error ? (error.stack ?? '') : String(error) });
    return 1;
  }
}
