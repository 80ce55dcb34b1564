import Database from 'better-sqlite3';

/** Failures of the disk or of a lock, not of the statement. */
const codes = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/;

export type StorageFailure = Error & { readonly code: string };

/** Whether the database could not be written or read. What was committed is kept. */
export const isStorageFailure = (error: unknown): error is StorageFailure =>
  error instanceof Database.SqliteError && codes.test(error.code);
