import { isStorageFailure } from '../health/storage-failure.ts';
import type { Db } from '../open-database.ts';

/**
 * Called at every tick, at least 20 times a second. `hasChanged`: another connection committed since the last call, or
 * `notify` was called.
 */
export type ChangeListener = (hasChanged: boolean) => void;

/** Polling interval at rest. A wake-up costs up to 0.2 ms, so an idle process uses less than 0.5 % of a core. */
const REST_TICK_MS = 45;
/** The delay while others commit: for a second after each change. */
const BUSY_TICK_MS = 20;
const BUSY_MS = 1_000;

export type ChangeWatch = ReturnType<typeof watchChanges>;

/** The single timer of a process that polls for commits of other connections. It runs only while there are listeners. */
export function watchChanges(db: Db) {
  const readVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const listeners = new Set<ChangeListener>();
  const closing = new AbortController();
  let known: number | undefined;
  let isDue = false;
  const found = new Map<string, unknown>();
  let changedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const look = () => {
    const version = readVersion.get();
    if (version !== known) {
      isDue = true;
      changedAt = performance.now();
    }
    known = version;
    const hasChanged = isDue;
    isDue = false;
    found.clear();
    try {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener(hasChanged);
    } catch (error) {
      isDue ||= hasChanged;
      throw error;
    }
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
  const tick = () => {
    timer = undefined;
    lookSafely();
    schedule();
  };
  const schedule = () => {
    if (listeners.size === 0) return;
    const isBusy = performance.now() - changedAt < BUSY_MS;
    timer ??= setTimeout(tick, isBusy ? BUSY_TICK_MS : REST_TICK_MS);
  };
  const stop = () => {
    clearTimeout(timer);
    clearImmediate(soon);
    [timer, soon] = [undefined, undefined];
  };
  return {
    /** Reports every change from now on. Returns the function that ends the subscription. */
    listen(listener: ChangeListener): () => void {
      if (closing.signal.aborted) return () => {};
      if (listeners.size === 0) known = readVersion.get();
      listeners.add(listener);
      found.clear();
      schedule();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    /** Calls the listeners soon: SQLite reports no commits of the connection itself. */
    notify(): void {
      if (listeners.size === 0) return;
      isDue = true;
      soon ??= setImmediate(lookSafely);
    },
    /** The result of the name's last `read`, unless listeners were called or added since: then it is read. */
    readOnce: readInto(found),
    /** Aborted by `close`: the database must no longer be read. The library's declarations need the cast. */
    closed: closing.signal as AbortSignal,
    close(): void {
      stop();
      listeners.clear();
      closing.abort();
    },
  };
}

const MAX_FOUND = 64;

const readInto =
  (found: Map<string, unknown>) =>
  <Found>(name: string, read: () => Found): Found => {
    if (found.size >= MAX_FOUND) found.clear();
    if (!found.has(name)) found.set(name, read());
    return found.get(name) as Found;
  };
