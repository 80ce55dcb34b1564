import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time without a return to the event loop, in milliseconds. */
const MAX_BLOCKING_MS = 10;

export type Yielder = ReturnType<typeof createYielder>;

/** Yields to the event loop during long synchronous work. */
export function createYielder() {
  let takenMs = performance.now();
  return {
    /** Whether it is time to yield. */
    isDue: () => performance.now() > takenMs + MAX_BLOCKING_MS,
    async take(): Promise<void> {
      await nextTurn();
      takenMs = performance.now();
    },
  };
}
