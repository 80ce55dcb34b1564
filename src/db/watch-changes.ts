import type { Db } from './open-database.ts';
import { isStorageFailure } from './storage-failure.ts';

/**
 * Called at every tick, 40 times a second. `hasChanged`: another connection committed since the last call, or `notify`
 * was called.
 */
export type ChangeListener = (hasChanged: boolean) => void;

/** The one timer of a process that looks for commits of other connections. It runs only while somebody listens. */
export interface ChangeWatch {
  /** Reports every change from now on. Returns the function that ends the subscription. */
  listen(listener: ChangeListener): () => void;
  /** Calls the listeners soon: SQLite reports no commits of the connection itself. */
  notify(): void;
  /** Aborted by `close`: the database must not be read any more. */
  readonly closed: AbortSignal;
  close(): void;
}

/** Milliseconds. A change is reported within this time; a tick without a change costs about 0.05 ms. */
export const TICK_MS = 25;

export function watchChanges(db: Db): ChangeWatch {
  const readVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const listeners = new Set<ChangeListener>();
  const closing = new AbortController();
  let known: number | undefined;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const look = () => {
    const version = readVersion.get();
    isDue ||= version !== known;
    known = version;
    const hasChanged = isDue;
    for (const listener of [...listeners]) if (listeners.has(listener)) listener(hasChanged);
    isDue = false;
  };
  /** If the database can't be read now, the next tick reports the same change again. */
  const lookSafely = () => {
    soon = undefined;
    if (closing.signal.aborted) return;
    try {
      look();
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
    }
  };
  const stop = () => {
    clearInterval(timer);
    clearImmediate(soon);
    timer = undefined;
    soon = undefined;
  };
  return {
    listen(listener) {
      if (closing.signal.aborted) return () => {};
      listeners.add(listener);
      if (!timer) {
        known = readVersion.get();
        timer = setInterval(lookSafely, TICK_MS);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    notify() {
      if (listeners.size === 0) return;
      isDue = true;
      soon ??= setImmediate(lookSafely);
    },
    closed: closing.signal,
    close() {
      stop();
      listeners.clear();
      closing.abort();
    },
  };
}
