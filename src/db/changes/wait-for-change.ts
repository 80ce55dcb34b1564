import type { ChangeWatch } from './watch-changes.ts';

/** Waits for changes of the database, one after the other. */
export interface ChangeWaiter {
  /**
   * Resolves after a change since the last call, after a second without one, or when the signal aborts. The timeout is for
   * events that write nothing, such as the death of a process.
   */
  next(): Promise<void>;
  stop(): void;
}

const MAX_WAIT_MS = 1_000;

export function waitForChange(changes: ChangeWatch, signal: AbortSignal): ChangeWaiter {
  let isDue = false;
  let wokenAt = performance.now();
  let resolveNext: (() => void) | undefined;
  const wake = () => {
    isDue = resolveNext === undefined;
    wokenAt = performance.now();
    resolveNext?.();
    resolveNext = undefined;
  };
  const unlisten = changes.listen((hasChanged) => {
    if (hasChanged || performance.now() - wokenAt >= MAX_WAIT_MS) wake();
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
