import { type ChangeWatch, TICK_MS } from './watch-changes.ts';

/** Waits for changes of the database, one after the other. */
export interface ChangeWaiter {
  /**
   * Resolves after a change since the last call, after a second without one, or when the signal aborts. What must be
   * noticed although nothing is written (the death of a process) is looked at then.
   */
  next(): Promise<void>;
  stop(): void;
}

const TICKS_PER_SECOND = 1_000 / TICK_MS;

export function waitForChange(changes: ChangeWatch, signal: AbortSignal): ChangeWaiter {
  let isDue = false;
  let ticks = 0;
  let resolveNext: (() => void) | undefined;
  const wake = () => {
    isDue = resolveNext === undefined;
    ticks = 0;
    resolveNext?.();
    resolveNext = undefined;
  };
  const unlisten = changes.listen((hasChanged) => {
    ticks += 1;
    if (hasChanged || ticks >= TICKS_PER_SECOND) wake();
  });
  signal.addEventListener('abort', wake);
  return {
    next() {
      if (signal.aborted) return Promise.resolve();
      if (isDue) {
        isDue = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        resolveNext = resolve;
      });
    },
    stop() {
      unlisten();
      signal.removeEventListener('abort', wake);
    },
  };
}
