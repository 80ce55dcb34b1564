import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../try-or.ts';

/** Size of all files in a folder and below, in bytes; 0 if there is none. Links are not followed. */
export const folderBytes = (folder: string): number =>
  tryOr(() => readdirSync(folder, { withFileTypes: true }), []).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(path) : fileBytes(path));
  }, 0);

const fileBytes = (path: string): number => tryOr(() => lstatSync(path).size, 0);
