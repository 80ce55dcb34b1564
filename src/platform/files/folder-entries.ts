import { type Dirent, readdirSync } from 'node:fs';

/** The entries of a folder; none if it can't be read. */
export function folderEntries(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
