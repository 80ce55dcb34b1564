import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hasProcess } from '../platform/process-mark.ts';

const LOOK_AGAIN_MS = 200;

/** Maximum time between creating a lock file and writing the process id into it. */
const WRITING_MS = 2_000;

/**
 * Locks a folder against writing by other processes, with a file `<folder>.lock` that contains the process id. Waits
 * while another process holds the lock; the lock of a dead process is ignored.
 *
 * @throws The signal's reason, once it is aborted.
 */
export async function lockFolder(folder: string, signal: AbortSignal): Promise<AsyncDisposable> {
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

/** Whether a lock is stale: its process is dead, or died before it wrote its id. */
async function isLeft(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = Number(text);
  if (holder > 0) return !hasProcess(holder);
  const { mtimeMs = Date.now() } = (await stat(lock).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs > WRITING_MS;
}
