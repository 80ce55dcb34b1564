import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../try-or.ts';

/** The entries of a folder; none if it can't be read. */
export const folderEntries = (dir: string): readonly Dirent[] =>
  tryOr(() => readdirSync(dir, { withFileTypes: true }), []);

/** Size of all files in a folder and below, in bytes; 0 if there is none. Links are not followed. */
export const folderBytes = (folder: string): number =>
  folderEntries(folder).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    const bytes = entry.isDirectory() ? folderBytes(path) : tryOr(() => lstatSync(path).size, 0);
    return sum + bytes;
  }, 0);
