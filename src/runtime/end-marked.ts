import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The variable by which the processes of one call or attempt are found again, also those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

/** Longest that is looked for them, in milliseconds. */
const MAX_MS = 1_000;
/** Read at once: a process that starts another keeps its readers waiting. */
const BATCH = 64;

/**
 * Ends every process that carries the mark in its first environment (Linux only: read from /proc), also those that were
 * started meanwhile. Processes that start others faster than they are found outrun it.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const over = new AbortController();
  const timeIsUp = sleep(MAX_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([endUntilNone(mark, over.signal), timeIsUp]);
  over.abort();
}

async function endUntilNone(mark: string, over: AbortSignal): Promise<void> {
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  let wasFound = false;
  const endIfMarked = async (pid: string) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(wanted) && kill(Number(pid))) wasFound = true;
  };
  do {
    wasFound = false;
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    for (let at = 0; at < pids.length && !over.aborted; at += BATCH)
      await Promise.all(pids.slice(at, at + BATCH).map(endIfMarked));
  } while (wasFound && !over.aborted);
}

/** False where it is gone already. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
