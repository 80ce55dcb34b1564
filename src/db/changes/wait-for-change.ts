import type { ChangeWatch } from './watch-changes.ts';

const MAX_WAIT_MS = 1_000;

/** Waits for changes of the database, one after the other. */
export function waitForChange(changes: ChangeWatch, signal: AbortSignal) {
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
    /**
     * Resolves after a change since the last call, after a second without one, or when the signal aborts. The timeout is for
     * events that write nothing, such as the death of a process.
     */
    next(): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      if (isDue) {
        isDue = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        resolveNext = resolve;
      });
    },
    stop(): void {
      unlisten();
      signal.removeEventListener('abort', wake);
    },
  };
}
