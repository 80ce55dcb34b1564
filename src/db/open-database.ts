import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, failedWith } from '../contract/errors.ts';
import { makeFolder } from '../platform/files/make-folder.ts';
import { syncFolder } from '../platform/files/private-file.ts';
import { failPoint } from './fail-point.ts';
import { assertFile, assertIntact, emptiedError } from './health/assert-intact.ts';
import { hasTracesOfContent, restoreAdvice } from './health/restore-advice.ts';
import {
  isLock,
  isStorageFailure,
  storageError,
  withStorageErrors,
} from './health/storage-failure.ts';
import { type LateDatabase, prepareLate } from './late-statements.ts';
import { FIRST_SCHEMA, migrations, schemaAfter } from './migrations.ts';

export interface Db extends LateDatabase {}

/** "Caps" in ASCII: identifies Capstan's database among SQLite files. */
const APPLICATION_ID = 0x43617073;

const BUSY_MS = 5_000;

/**
 * Opens Capstan's database; creates or migrates it if needed. WAL, every commit synced to disk, foreign keys on. It is
 * checked for damage first if its last process did not close it. Does not load sqlite-vec; the registry does.
 *
 * @param path The file. A missing file is created with mode 0600, its folder with mode 0700.
 * @throws AppError `DATABASE_FAILED`, `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
 */
export const openDatabase = (path: string): Db =>
  withStorageErrors(path, () => {
    makeFolder(dirname(path));
    const isNew = !assertFile(path);
    if (!isNew) {
      assertWritable(path);
      assertIntact(path);
    }
    return openedWith(new Database(path, { timeout: BUSY_MS }), (db) => {
      if (isNew) chmodSync(path, 0o600);
      else assertOurs(db, path);
      setPragmas(db);
      failPoint('open');
      migrate(db, path);
      failPoint('opened');
      prepareLate(db);
    });
  });

/**
 * Opens Capstan's database for writing, or for reading if it can't be written now: its disk is full or read-only. Then
 * `problem` says why.
 *
 * @throws AppError, as `openDatabase`.
 */
export function openWritableOrReadOnly(path: string) {
  try {
    return { db: openDatabase(path), problem: undefined };
  } catch (error) {
    const problem = writeProblem(error);
    if (!problem) throw error;
    try {
      return { db: openForReading(path), problem };
    } catch {
      throw error;
    }
  }
}

/** Undefined if the database can't be read either. */
function writeProblem(error: unknown): AppError | undefined {
  if (failedWith(error, 'PLACE_UNUSABLE')) return error;
  return failedWith(error, 'DATABASE_FAILED') && !isLock(error.cause) ? error : undefined;
}

/**
 * Opens Capstan's database for reading: nothing is created, migrated or written.
 *
 * @throws AppError `DATABASE_FAILED`, `DATABASE_NEWER`, `DATABASE_OLDER`, `DATABASE_UNREADABLE`.
 */
export const openForReading = (path: string): Db =>
  withStorageErrors(path, () => {
    assertFile(path);
    return openedWith(openReadOnly(path), (db) => {
      assertOurs(db, path);
      if (versionOf(db) < schemaAfter()) throw new AppError('DATABASE_OLDER', { path });
      prepareLate(db);
    });
  });

/** Larger databases are not copied into memory. */
const MAX_COPIED_BYTES = 512 * 1024 * 1024;

/**
 * SQLite reads a WAL database only if it can create the files beside it. If it can't, and no change waits in a WAL file,
 * the database is read as a copy in memory.
 */
function openReadOnly(path: string): Database.Database {
  try {
    const options = { readonly: true, fileMustExist: true, timeout: BUSY_MS };
    return openedWith(new Database(path, options), versionOf);
  } catch (error) {
    const [bytes, waiting] = [path, `${path}-wal`].map(
      (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    ) as [number, number];
    const isLacking = isStorageFailure(error) && /CANTOPEN|IOERR|READONLY|FULL/.test(error.code);
    if (!isLacking || waiting > 0 || bytes === 0 || bytes > MAX_COPIED_BYTES) throw error;
    return copyInMemory(path);
  }
}

function copyInMemory(path: string): Database.Database {
  const bytes = readFileSync(path);
  // The two header bytes for WAL mode, which a database in memory does not support (sqlite.org/fileformat2.html).
  bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly: true });
}

function openedWith(
  db: Database.Database,
  prepare: (db: Database.Database) => unknown,
): Database.Database {
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Without this check, SQLite would silently open the file for reading only. */
function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw storageError(new Database.SqliteError('read-only file', 'SQLITE_READONLY'), path);
  }
}

/**
 * Throws unless the database belongs to Capstan, or is empty, and has a schema that this version supports. Reads only.
 *
 * @throws AppError `DATABASE_UNREADABLE`, `DATABASE_NEWER`.
 */
function assertOurs(db: Db, path: string): void {
  const version = versionOf(db);
  const known = schemaAfter();
  const isEmpty = isBlank(db);
  // Checked again, because another process may have created it and recorded a run.
  if (isEmpty && hasTracesOfContent(path) && isBlank(db)) throw emptiedError(path);
  if (!isEmpty && ownerOf(db) !== APPLICATION_ID) {
    const problem = 'it belongs to another program';
    const fix = hasTracesOfContent(path) ? restoreAdvice(path) : undefined;
    throw new AppError('DATABASE_UNREADABLE', { path, problem, ...(fix && { fix }) });
  }
  if (version > known) throw new AppError('DATABASE_NEWER', { path, version, known });
  if (version > 0 && version < FIRST_SCHEMA) {
    const problem = `a development version wrote it (schema ${version})`;
    throw new AppError('DATABASE_UNREADABLE', { path, problem });
  }
}

/** A second connection for rows that may be lost at a power failure, but not if the process ends: checkpoints. */
export function openRelaxedConnection(path: string): Database.Database {
  const db = new Database(path, { timeout: BUSY_MS, fileMustExist: true });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  return db;
}

function setPragmas(db: Db): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  // The default is 1,000. Every commit touches the same pages, and a rarer checkpoint copies them less often.
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
}

/** Copies the database beside itself, and applies the migrations that follow its version. */
export function migrate(db: Db, path: string, steps = migrations): void {
  const known = schemaAfter(steps);
  const before = versionOf(db);
  if (before === known) return;
  if (before > 0) backUp(db, `${path}.v${before}.backup`);
  db.transaction(() => {
    const done = Math.max(versionOf(db) - FIRST_SCHEMA + 1, 0);
    for (const sql of steps.slice(done)) db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${known}`);
  }).immediate();
}

const versionOf = (db: Db): number => Number(db.pragma('user_version', { simple: true }));

const ownerOf = (db: Db): number => Number(db.pragma('application_id', { simple: true }));

const isBlank = (db: Db): boolean =>
  ownerOf(db) === 0 &&
  versionOf(db) === 0 &&
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1").get() === undefined;

/** The copy gets its name once all of it is on disk. */
function backUp(db: Db, to: string): void {
  if (existsSync(to)) return;
  const draft = `${to}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    db.prepare('VACUUM INTO ?').run(draft);
    fsyncSync(file);
    renameSync(draft, to);
    syncFolder(dirname(to));
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
