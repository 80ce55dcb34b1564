import { readdir, readFile } from 'node:fs/promises';

/** The variable by which the processes of one call are found again, also those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

const liveGroups = new Set<number>();
let endsOnExit = false;

/** Registers a process group, which is killed if this process exits before the returned function is called. */
export function holdGroup(pid: number): () => void {
  liveGroups.add(pid);
  if (!endsOnExit) process.once('exit', killLiveGroups);
  endsOnExit = true;
  return () => liveGroups.delete(pid);
}

function killLiveGroups(): void {
  for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
}

/** Ends a process group; a group that is gone already is fine. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody is left in it.
  }
}

/** Ends every process that carries the mark in its first environment (Linux only: read from /proc). */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`).catch(() => undefined);
      if (!environment?.includes(wanted)) return;
      try {
        process.kill(Number(name), 'SIGKILL');
      } catch {
        // Gone between the two.
      }
    }),
  );
}
