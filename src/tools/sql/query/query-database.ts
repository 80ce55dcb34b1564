import { fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Largest database that is read into memory, in bytes. */
const MAX_LOADED_BYTES = 256 * 1024 * 1024;
/** Bytes 18 and 19 of the header: how the file is written and read. 2 is a write-ahead log, 1 is none. */
const JOURNAL_MODE_AT = 18;

/** A database of a request: SQLite opens it by its path; what it opened must be what the descriptor is. */
export interface DatabaseFile {
  /** Absolute. */
  readonly path: string;
  readonly fd: number;
}

/** Opens the database read-only; without one, an empty one in memory for the tables of files. */
export function openQueryDatabase(file: DatabaseFile | undefined): Database.Database {
  const db = file === undefined ? new Database(':memory:') : openReadonly(file);
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('temp_store = MEMORY');
  return db;
}

function openReadonly(file: DatabaseFile): Database.Database {
  const loaded = loadWithIdleLog(file);
  if (loaded) return new Database(loaded, { readonly: true });
  const db = new Database(file.path, { readonly: true, fileMustExist: true });
  assertSameFile(file);
  return db;
}

/**
 * The content of a database that has a write-ahead log which nobody uses: reading it in place would leave
 * new files beside it. Undefined for every other one.
 */
function loadWithIdleLog({ path, fd }: DatabaseFile): Buffer | undefined {
  const modes = Buffer.alloc(2);
  readSync(fd, modes, 0, 2, JOURNAL_MODE_AT);
  const { size } = fstatSync(fd);
  if (!modes.equals(Buffer.from([2, 2])) || size > MAX_LOADED_BYTES) return undefined;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return undefined;
  const content = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const read = readSync(fd, content, at, size - at, at);
    if (read === 0) break;
    at += read;
  }
  content.fill(1, JOURNAL_MODE_AT, JOURNAL_MODE_AT + 2);
  return content;
}

/** SQLite opens by path: a link swapped since the check shows as a file that is not the checked one (Linux only). */
function assertSameFile({ fd: wantedFd }: DatabaseFile): void {
  if (process.platform !== 'linux') return;
  const wanted = fstatSync(wantedFd, { bigint: true });
  const same = readdirSync('/proc/self/fd').some((name) => {
    const fd = Number(name);
    if (fd <= wantedFd) return false;
    try {
      const { ino, dev } = fstatSync(fd, { bigint: true });
      return ino === wanted.ino && dev === wanted.dev;
    } catch {
      return false;
    }
  });
  if (!same) throw new Error('the file was exchanged while it was opened; ask again');
}
