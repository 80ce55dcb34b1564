import { setTimeout as pause } from 'node:timers/promises';
import { createStamp } from '../../registry/stamp.ts';

const LOOK_EVERY_MS = 50;

/** A save in several writes is waited for no longer than this. */
const MOST_LOOKS = 20;

/** What editors lay beside a file while it is open: locks, swap files, copies. */
const ofEditors = /^(?:\.#.*|#.*#|.*~|\..*\.sw[a-z]|4913)$/;

/** Resolves when anything in the folders is saved; true. False: the signal came first. */
export type NextSave = (signal: AbortSignal) => Promise<boolean>;

/**
 * Watches folders, also those that are not there yet, by looking at names, sizes and times of their files. A save counts
 * once nothing has changed from one look to the next: many editors write more than once.
 */
export function watchFolders(folders: readonly string[]): NextSave {
  const stampNow = createStamp(folders, (name) => ofEditors.test(name));
  let seen = stampNow();
  const look = async (signal: AbortSignal) => {
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    return stampNow();
  };
  return async (signal) => {
    let stamp = stampNow();
    while (stamp === seen && !signal.aborted) stamp = await look(signal);
    for (let looks = 0; looks < MOST_LOOKS && !signal.aborted; looks++) {
      const next = await look(signal);
      if (next === stamp) break;
      stamp = next;
    }
    seen = stamp;
    return !signal.aborted;
  };
}
