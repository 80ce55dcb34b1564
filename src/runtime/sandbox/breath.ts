import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest that nothing else gets its turn, in milliseconds. */
const MAX_BREATH_MS = 10;

/** For long work on the one thread: lets others have their turn now and then. */
export interface Breath {
  /** True where the others have waited for long enough. */
  isDue(): boolean;
  take(): Promise<void>;
}

export function createBreath(): Breath {
  let takenMs = performance.now();
  return {
    isDue: () => performance.now() > takenMs + MAX_BREATH_MS,
    async take() {
      await nextTurn();
      takenMs = performance.now();
    },
  };
}
