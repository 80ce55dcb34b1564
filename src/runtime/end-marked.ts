import { readdirSync, readFileSync } from 'node:fs';
import { createBreath } from './sandbox/breath.ts';

/** The variable by which the processes of one call or attempt are found again, also those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

/** Longest that is looked for those that were born meanwhile, in milliseconds. */
const MAX_MS = 300;

/**
 * Ends every process that carries the mark in its first environment (Linux only: read from /proc). It is looked again until
 * none is found. Processes that go on starting others can outrun it.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const endMs = performance.now() + MAX_MS;
  while ((await endFound(mark)) && performance.now() < endMs);
}

/** True where there was one. */
async function endFound(mark: string): Promise<boolean> {
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  const breath = createBreath();
  let wasFound = false;
  for (const name of processes()) {
    if (environmentOf(name)?.includes(wanted) && kill(Number(name))) wasFound = true;
    if (breath.isDue()) await breath.take();
  }
  return wasFound;
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function environmentOf(pid: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
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
