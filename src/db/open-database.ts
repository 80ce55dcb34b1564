import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, messageOf } from '../contract/errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { failPoint } from './fail-point.ts';
import { migrations } from './migrations.ts';

export type Db = Database.Database;

/** "Caps" in ASCII: identifies Capstan's database among SQLite files. */
const APPLICATION_ID = 0x43617073;

/**
 * Opens Capstan's database; creates or migrates it if needed. WAL, every commit synced to disk, foreign keys on.
 * Does not load sqlite-vec; the registry does.
 *
 * @param path The file. A missing file is created with mode 0600, its folder with mode 0700.
 * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
 */
export function openDatabase(path: string): Db {
  makeFolder(dirname(path));
  const isNew = !existsSync(path);
  try {
    const db = new Database(path, { timeout: 5_000 });
    try {
      if (isNew) chmodSync(path, 0o600);
      assertOurs(db, path);
      setPragmas(db);
      failPoint('open');
      migrate(db, path);
      failPoint('opened');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'DATABASE_UNREADABLE',
      { path, problem: messageOf(error) },
      { cause: error },
    );
  }
}

/**
 * Opens Capstan's database for reading: nothing is created, migrated or written.
 *
 * @throws AppError `DATABASE_NEWER`, `DATABASE_OLDER`, `DATABASE_UNREADABLE`.
 */
export function openForReading(path: string): Db {
  const fail = (problem: string) => new AppError('DATABASE_UNREADABLE', { path, problem });
  let db: Db;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  } catch (error) {
    throw fail(messageOf(error));
  }
  try {
    assertOurs(db, path);
    if (versionOf(db) === migrations.length) return db;
  } catch (error) {
    db.close();
    throw error instanceof AppError ? error : fail(messageOf(error));
  }
  db.close();
  throw new AppError('DATABASE_OLDER', { path });
}

/**
 * Throws unless the database is Capstan's, or empty, and not of a later release. Reads only.
 *
 * @throws AppError `DATABASE_UNREADABLE`, `DATABASE_NEWER`.
 */
export function assertOurs(db: Db, path: string): void {
  const version = versionOf(db);
  const known = migrations.length;
  const owner = Number(db.pragma('application_id', { simple: true }));
  const isEmpty = owner === 0 && version === 0 && !hasTables(db);
  if (owner !== APPLICATION_ID && !isEmpty)
    throw new AppError('DATABASE_UNREADABLE', { path, problem: 'it belongs to another program' });
  if (version > known) throw new AppError('DATABASE_NEWER', { path, version, known });
}

/** A second connection for rows that may be lost at a power failure, but not if the process ends: checkpoints. */
export function openRelaxedConnection(path: string): Db {
  const db = new Database(path, { timeout: 5_000, fileMustExist: true });
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

function migrate(db: Db, path: string): void {
  const known = migrations.length;
  const before = versionOf(db);
  if (before === known) return;
  if (before > 0) backUp(db, `${path}.v${before}.backup`);
  db.transaction(() => {
    for (const { sql } of migrations.slice(versionOf(db))) db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${known}`);
  }).immediate();
}

const versionOf = (db: Db): number => Number(db.pragma('user_version', { simple: true }));

const hasTables = (db: Db): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1").get() !== undefined;

function backUp(db: Db, to: string): void {
  if (existsSync(to)) return;
  db.prepare('VACUUM INTO ?').run(to);
  chmodSync(to, 0o600);
}
