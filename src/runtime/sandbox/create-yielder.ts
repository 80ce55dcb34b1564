import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time without a return to the event loop, in milliseconds. */
const MAX_BLOCKING_MS = 10;

/** Yields to the event loop during long synchronous work. */
export interface Yielder {
  /** Whether it is time to yield. */
  isDue(): boolean;
  take(): Promise<void>;
}

export function createYielder(): Yielder {
  let takenMs = performance.now();
  return {
    isDue: () => performance.now() > takenMs + MAX_BLOCKING_MS,
    async take() {
      await nextTurn();
      takenMs = performance.now();
    },
  };
}
