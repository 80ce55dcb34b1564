import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { hasTracesOfContent, restoreAdvice } from './restore-advice.ts';

/**
 * Refuses files that SQLite would follow to another place, could not read, or would replace by a new database although
 * they had content. Returns whether the database exists.
 *
 * @throws AppError `DATABASE_UNREADABLE`.
 */
export function assertFile(path: string): boolean {
  const facts = regularFile(path);
  const [wal] = ['-wal', '-shm', '-journal'].map((suffix) => regularFile(`${path}${suffix}`));
  const hasWal = (wal?.size ?? 0) > 0;
  if (!facts && hasWal) throw lost(path, `it is missing, but ${path}-wal has its last changes`);
  if (!facts) return false;
  if (facts.size === 0 && (hasWal || hasTracesOfContent(path)) && isStillEmpty(path))
    throw emptiedError(path);
  reading(path, () => accessSync(path, constants.R_OK));
  return true;
}

/** Checked again, because another process may have created the database and recorded a run. */
const isStillEmpty = (path: string): boolean => regularFile(path)?.size === 0;

/** The error for a database without content beside files that show that it had some. */
export const emptiedError = (path: string) =>
  lost(path, 'it is empty, but runs were recorded in it before');

const lost = (path: string, problem: string) =>
  new AppError('DATABASE_UNREADABLE', { path, problem, fix: restoreAdvice(path) });

/** The file itself, not the target of a link; undefined if there is none. */
function regularFile(path: string): Stats | undefined {
  const facts = reading(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (!facts || facts.isFile()) return facts;
  const problem = facts.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a regular file';
  const fix = 'Put the file itself there, or set CAPSTAN_HOME to another folder.';
  throw new AppError('DATABASE_UNREADABLE', { path, problem, fix });
}

function reading<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    const problem = 'you have no permission to read it';
    const fix =
      'Give it to the user who runs Capstan (chown, chmod 600), or set CAPSTAN_HOME to another folder.';
    throw new AppError('DATABASE_UNREADABLE', { path, problem, fix }, { cause });
  }
}
