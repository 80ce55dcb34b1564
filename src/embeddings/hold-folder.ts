import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_AGAIN_MS = 200;

/**
 * Holds a folder against other processes that would write into it, by a file `<folder>.lock` with our process id. Waits
 * while another one holds it; what a process left that is gone counts for nothing.
 *
 * @throws What the signal says, once it is aborted.
 */
export async function holdFolder(folder: string, signal: AbortSignal): Promise<AsyncDisposable> {
  const lock = `${folder}.lock`;
  for (;;) {
    signal.throwIfAborted();
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true });
    else await wait(LOOK_AGAIN_MS, undefined, { signal });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
