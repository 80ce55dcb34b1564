import type { ChangeWatch } from './watch-changes.ts';

/** Returns the cached result of the name's last `read` if the database was not polled since; otherwise reads. */
export type ReadOnce = <Found>(name: string, read: () => Found) => Found;

/** Shares the reads of listeners that wait for the same changes. Caches at most 64 results. */
export function createReadOnce(changes: Pick<ChangeWatch, 'round'>): ReadOnce {
  const found = new Map<string, unknown>();
  let round = -1;
  return <Found>(name: string, read: () => Found) => {
    if (round !== changes.round() || found.size >= MAX_RESULTS) found.clear();
    round = changes.round();
    if (!found.has(name)) found.set(name, read());
    return found.get(name) as Found;
  };
}

const MAX_RESULTS = 64;
