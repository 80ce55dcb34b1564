import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { AppError, messageOf } from '../contract/errors.ts';

/**
 * Writes a file that the person asked for: for its owner alone, and complete or not there at all.
 *
 * @throws AppError `USAGE`.
 */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new AppError('USAGE', { problem: `${path} can't be written: ${messageOf(error)}` });
  }
}
