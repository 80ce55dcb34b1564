import { writeSync } from 'node:fs';
import { openApp } from '../../src/app/open-app.ts';
import type { Approver } from '../../src/broker/questions/approval-store.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import type { RunRecord } from '../../src/coordinator/run-store.ts';
import { runCapsuleInMemory } from '../../src/runtime/in-memory.ts';
import { handlers } from './clerk/work.cjs';

/**
 * One life of the run that the sweep kills: begins it, or goes on with it where it is parked. Says on stdout, one JSON
 * line each, which questions it asks and how the run ended. `KILL_TASK` is the task; with `KILL_IN_MEMORY` capsules run
 * inside this process.
 */
export type Said =
  | { readonly type: 'asked'; readonly id: string }
  | { readonly type: 'ended'; readonly status: string; readonly reason: string | null }
  | { readonly type: 'broke'; readonly message: string };

const { KILL_TASK: task = '', KILL_IN_MEMORY: inMemory } = process.env;

const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`);

/** Somebody is there, and answers from another process. */
const approver: Approver = {
  ask: (_approval, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined));
    }),
};

const handlersByKind = () => handlers;

async function live(): Promise<RunRecord> {
  const { settings } = await loadSettings({ cwd: process.cwd() });
  const app = await openApp({
    settings,
    approver,
    ...(inMemory && {
      runCapsule: (options) => runCapsuleInMemory(options, handlersByKind),
    }),
  });
  app.events.listen((event) => {
    if (event.type === 'approval.asked') say({ type: 'asked', id: event.approval_id });
  });
  const { signal } = new AbortController();
  try {
    const [known] = app.stores.runs.list({ limit: 1 });
    if (!known) return await app.startRun({ task, signal });
    return known.status === 'parked' ? await app.resumeRun(known, signal) : known;
  } finally {
    await app.close();
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
