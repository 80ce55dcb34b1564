import { randomBytes } from 'node:crypto';
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';

/**
 * Writes a file atomically, with mode 0600.
 *
 * @throws AppError `USAGE` if the file can't be written.
 */
export function writeFileAtomic(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw notWritable(path, error);
  }
}

/** Checks before any work that a file can be written later. @throws AppError `USAGE`. */
export function assertWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(path, error);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('USAGE', { problem: `${path} is a folder. Name a file.` });
}

function notWritable(path: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOENT' ? `there is no folder ${dirname(path)}` : messageOf(error).split(',')[0];
  return new AppError('USAGE', { problem: `${path} can't be written: ${why}.` });
}
