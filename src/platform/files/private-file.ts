import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Writes a file that only its owner may read, completely or not at all. Creates its folder (0700) if it is missing.
 *
 * @param draft Where the text is written first. Default: beside the file.
 * @throws AppError `PLACE_UNUSABLE`.
 */
export function writePrivateFile(
  path: string,
  text: string,
  draft = `${path}.${process.pid}.draft`,
): void {
  makeFolder(dirname(path));
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable: files that were created, renamed or removed in it. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
