import { type Dirent, readdirSync } from 'node:fs';
import { tryOr } from '../try-or.ts';

/** The entries of a folder; none if it can't be read. */
export const folderEntries = (dir: string): readonly Dirent[] =>
  tryOr(() => readdirSync(dir, { withFileTypes: true }), []);
