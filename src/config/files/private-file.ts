import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';

/**
 * Writes a file that only its owner may read, completely or not at all. Creates its folder (0700) if it is missing.
 *
 * @throws AppError `PLACE_UNUSABLE`.
 */
export function writePrivateFile(path: string, text: string): void {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.draft`;
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
