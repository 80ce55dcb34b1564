import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const LOOK_AGAIN_MS = 200;

/** Longest time between the making of a lock and the writing of who holds it. */
const WRITING_MS = 2_000;

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
    if (await isLeft(lock)) await rm(lock, { force: true });
    else await wait(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Whether nobody holds by it: its process is gone, or died before it had written its id. */
async function isLeft(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = Number(text);
  if (holder > 0) return !isAlive(holder);
  const { mtimeMs = Date.now() } = (await stat(lock).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs > WRITING_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
