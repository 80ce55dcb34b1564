import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../contract/errors.ts';
import { tryOr } from '../../platform/try-or.ts';
import { hasTracesOfContent, restoreAdvice } from './restore-advice.ts';
import { withStorageErrors } from './storage-failure.ts';

/** Larger databases are not checked when they are opened: a check takes about a second for each GiB. */
const MAX_CHECKED_BYTES = 1024 ** 3;

/**
 * Checks every page of a database whose last process ended without closing it, such as after a kill or a power failure.
 * Such an end leaves a non-empty WAL file (sqlite.org/wal.html). Changes nothing, so that a damaged database is refused
 * again the next time.
 *
 * @throws AppError `DATABASE_UNREADABLE`, and failures of SQLite.
 */
export function assertIntact(path: string): void {
  const bytes = sizeOf(path);
  if (sizeOf(`${path}-wal`) === 0 || bytes > MAX_CHECKED_BYTES || isOpen(path)) return;
  // A read-only connection leaves the WAL file as it is when it is closed.
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    assertHealthy(db, path);
  } finally {
    db.close();
  }
}

/** Checks every page. Throws `DATABASE_FAILED`, `DATABASE_UNREADABLE`. */
export function assertHealthy(db: Pick<Database.Database, 'pragma'>, path: string): void {
  const health = withStorageErrors(path, () =>
    String(db.pragma('quick_check(1)', { simple: true })),
  );
  if (health === 'ok') return;
  const problem = `it is damaged (${health.replaceAll(/\s*\n\s*/g, ' ')})`;
  throw new AppError('DATABASE_UNREADABLE', { path, problem, fix: restoreAdvice(path) });
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Whether a process has the database open: each connection holds a lock on the file. False without `/proc/locks`. */
function isOpen(path: string): boolean {
  return tryOr(() => {
    const { ino } = statSync(path, { bigint: true });
    return readFileSync('/proc/locks', 'utf8').includes(`:${ino} `);
  }, false);
}

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
