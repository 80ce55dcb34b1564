import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
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
    throw new AppError('USAGE', { problem: `${path} can't be written: ${messageOf(error)}` });
  }
}
