import { AppError } from '../../contract/errors.ts';
import { restoreAdvice } from './restore-advice.ts';

/** Failures of the disk or of a lock, not of the statement. */
const codes = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/;

export type StorageFailure = Error & { readonly code: string };

/**
 * Whether the database could not be written or read. Committed data is kept. By name and code: a program that loads
 * better-sqlite3 itself has another class of the same errors.
 */
export const isStorageFailure = (error: unknown): error is StorageFailure =>
  error instanceof Error &&
  error.name === 'SqliteError' &&
  codes.test((error as Partial<StorageFailure>).code ?? '');

/** Whether another process keeps the database locked. */
export const isLock = (error: unknown): boolean =>
  isStorageFailure(error) && LOCKS.test(error.code);

const LOCKS = /BUSY|LOCKED|PROTOCOL/;

/**
 * The error for a person: `DATABASE_UNREADABLE` if the content of the file is invalid, else `DATABASE_FAILED`.
 *
 * @param path The database file.
 * @param runId The run that can be resumed afterwards.
 */
export function storageError(
  failure: StorageFailure,
  path: string,
  runId?: string,
): AppError<'DATABASE_FAILED' | 'DATABASE_UNREADABLE'> {
  const { code, message } = failure;
  const cause = { cause: failure };
  const damage = damages.find(([pattern]) => pattern.test(code))?.[1];
  if (damage !== undefined) {
    const details = { path, problem: `${damage} (${message})`, fix: restoreAdvice(path) };
    return new AppError('DATABASE_UNREADABLE', details, cause);
  }
  const [, what, fix] = faults.find(([pattern]) => pattern.test(code)) ?? OTHER_FAULT;
  const details = { path, problem: `${what} (${message}, ${code})`, fix, ...(runId && { runId }) };
  return new AppError('DATABASE_FAILED', details, cause);
}

const damages = [
  [/CORRUPT/, 'it is damaged'],
  [/NOTADB/, 'it is not a SQLite database'],
] as const;

type Fault = readonly [pattern: RegExp, problem: string, fix: string];

const faults: readonly Fault[] = [
  // The file of shared memory is allocated when it is opened.
  [/FULL|IOERR_SHMSIZE/, 'its disk is full', 'Free space on that disk and try again.'],
  [
    LOCKS,
    'another process keeps it locked',
    'Wait until that process is done, or end it, and try again.',
  ],
  [
    /READONLY|CANTOPEN/,
    'it is not writable',
    'Make the file and its folder writable for you, or set CAPSTAN_HOME to another folder.',
  ],
];

const OTHER_FAULT: Fault = [/./, 'its disk reports an error', 'Check that disk and try again.'];

/** Calls `act` and converts a storage failure of the database at `path` with `storageError`. */
export function withStorageErrors<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw isStorageFailure(error) ? storageError(error, path) : error;
  }
}
