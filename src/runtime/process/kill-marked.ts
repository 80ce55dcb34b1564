import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTick } from '../../platform/process-mark.ts';
import { tryOr } from '../../platform/try-or.ts';
import { sendSignal } from './process-tree.ts';

/** The environment variable that marks the processes of one call or attempt, including those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

/** Longest search for them, in milliseconds. */
const MAX_MS = 1_000;
/** Read concurrently: a process that is starting another one blocks its readers. */
const BATCH = 64;

/**
 * Kills every process with the mark in its initial environment (Linux only: read from /proc), also those that were
 * started during the search. Processes that start others faster than they are found escape.
 */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const over = new AbortController();
  const timeIsUp = sleep(MAX_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([killUntilNone(mark, over.signal), timeIsUp]);
  over.abort();
}

async function killUntilNone(mark: string, over: AbortSignal): Promise<void> {
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  let wasFound = false;
  const endIfMarked = async (pid: string) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(wanted) && sendSignal(Number(pid), 'SIGKILL')) wasFound = true;
  };
  do {
    wasFound = false;
    const pids = youngerProcesses();
    for (let at = 0; at < pids.length && !over.aborted; at += BATCH)
      await Promise.all(pids.slice(at, at + BATCH).map(endIfMarked));
  } while (wasFound && !over.aborted);
}

/**
 * The processes that this one may have started: not those that are older. Synchronous, because an asynchronous read takes
 * longer than the search.
 */
function youngerProcesses(): string[] {
  const since = Number(startTick(process.pid));
  // An unknown start counts as young.
  const isOlder = (pid: string) => Number(startTick(Number(pid))) < since;
  const names = tryOr(() => readdirSync('/proc'), []);
  return names.filter((name) => /^\d+$/.test(name) && !isOlder(name));
}
