import { useSyncExternalStore } from 'react';

let now = new Date();
const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    now = new Date();
    for (const one of readers) one();
  }, 1_000);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time. One timer updates the whole page every second. */
export const useNow = (): Date => useSyncExternalStore(subscribe, () => now);
