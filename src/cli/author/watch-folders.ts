import { setTimeout as pause } from 'node:timers/promises';
import { createStamp } from '../../registry/stamp.ts';

const LOOK_EVERY_MS = 100;

/** Resolves when anything in the folders is saved; true. False: the signal came first. */
export type NextSave = (signal: AbortSignal) => Promise<boolean>;

/** Watches folders, also those that are not there yet, by looking at names, sizes and times of their files. */
export function watchFolders(folders: readonly string[]): NextSave {
  const stampNow = createStamp(folders);
  let seen = stampNow();
  return async (signal) => {
    while (!signal.aborted) {
      const stamp = stampNow();
      if (stamp !== seen) {
        seen = stamp;
        return true;
      }
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    return false;
  };
}
