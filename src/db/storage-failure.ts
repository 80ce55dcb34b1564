import Database from 'better-sqlite3';

/** The disk or another process, not the statement: full, locked, unreadable, read-only. */
const codes = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/;

export type StorageFailure = Error & { readonly code: string };

/** Whether a database of ours could not be written or read. What was committed stands. */
export const isStorageFailure = (error: unknown): error is StorageFailure =>
  error instanceof Database.SqliteError && codes.test(error.code);
