import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../contract/errors.ts';
import { tryOr } from '../../platform/try-or.ts';
import { restoreAdvice } from './restore-advice.ts';
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
