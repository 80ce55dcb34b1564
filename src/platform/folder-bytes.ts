import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Size of all files in a folder and below, in bytes; 0 if there is none. Links are not followed. */
export function folderBytes(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? folderBytes(path) : fileBytes(path));
    }, 0);
  } catch {
    return 0;
  }
}

const fileBytes = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
