import type { ChangeWatch } from './watch-changes.ts';

/** Returns what the name's last `read` found if the database was not looked at since; else reads. */
export type ReadOnce = <Found>(name: string, read: () => Found) => Found;

/** Lets many who wait for the same changes read the same rows once. Keeps at most 64 results. */
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
