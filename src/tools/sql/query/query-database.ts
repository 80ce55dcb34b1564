import { fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';

/** Largest database that is read into memory, in bytes. */
const MAX_LOADED_BYTES = 256 * 1024 * 1024;
/** Bytes 18 and 19 of the header: how the file is written and read. 2 is a write-ahead log, 1 is none. */
export const journalMode = {
  at: 18,
  of(fd: number): Buffer {
    const modes = Buffer.alloc(2);
    readSync(fd, modes, 0, 2, journalMode.at);
    return modes;
  },
} as const;

/** A database of a request. SQLite opens it by its path, and must have opened the same file as the descriptor. */
export interface DatabaseFile {
  /** Absolute. */
  readonly path: string;
  readonly fd: number;
}

/** Opens the database read-only; without one, an empty one in memory for the tables of files. */
export function openQueryDatabase(file: DatabaseFile | undefined): Database.Database {
  if (file === undefined) return hardened(new Database(':memory:'));
  const loaded = loadWithIdleLog(file);
  if (loaded) return hardened(new Database(loaded, { readonly: true }));
  const db = new Database(file.path, { readonly: true, fileMustExist: true });
  assertSameFile(file);
  return hardened(db);
}

/** Applies the settings for an untrusted database. */
export function hardened(db: Database.Database): Database.Database {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  return db;
}

/**
 * The content of a database whose write-ahead log is not in use: reading it in place would leave new files beside it.
 * Undefined for all others.
 */
function loadWithIdleLog({ path, fd }: DatabaseFile): Buffer | undefined {
  const isLogged = journalMode.of(fd).equals(Buffer.from([2, 2]));
  if (!isLogged || fstatSync(fd).size > MAX_LOADED_BYTES) return undefined;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > 0 ? undefined : readContent(fd);
}

/** The content of a database, so that it can be opened in memory: without a write-ahead log. */
export function readContent(fd: number): Buffer {
  const { size } = fstatSync(fd);
  const content = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const read = readSync(fd, content, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  return content.fill(1, journalMode.at, journalMode.at + 2);
}

/** SQLite opens by path: a link swapped since the check shows as a file that is not the checked one (Linux only). */
function assertSameFile({ fd: wantedFd }: DatabaseFile): void {
  if (process.platform !== 'linux') return;
  const wanted = fstatSync(wantedFd, { bigint: true });
  const same = readdirSync('/proc/self/fd').some((name) => {
    const fd = Number(name);
    const stats =
      fd > wantedFd ? tryOr(() => fstatSync(fd, { bigint: true }), undefined) : undefined;
    return stats?.ino === wanted.ino && stats.dev === wanted.dev;
  });
  if (!same) throw new Error('the file was replaced while it was opened; try again');
}
