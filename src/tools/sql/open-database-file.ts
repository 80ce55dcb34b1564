import { lstatSync, readSync } from 'node:fs';
import { tryOr } from '../../platform/try-or.ts';
import { failure, type ToolCall } from '../define/call.ts';
import { type Opened, openFile } from '../files/paths.ts';

/** The first bytes of every SQLite file. */
const MAGIC = Buffer.from('SQLite format 3\0');

/**
 * Opens a database, checked like any file that is read.
 *
 * @param mayBeEmpty Accepts an empty file, which SQLite turns into a database. Default: false.
 */
export async function openDatabaseFile(
  path: string,
  call: ToolCall,
  { mayBeEmpty = false } = {},
): Promise<Opened> {
  const file = await openFile(path, call);
  try {
    if (!mayBeEmpty || file.bytes > 0) assertDatabase(file, path, call);
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

function assertDatabase(file: Opened, shown: string, call: ToolCall): void {
  if (file.bytes === 0) throw failure(call, `"${shown}" is empty: no database was written to it`);
  const buffer = Buffer.alloc(MAGIC.length);
  readSync(file.fd, buffer, 0, MAGIC.length, 0);
  if (!buffer.equals(MAGIC)) throw failure(call, `"${shown}" is not a SQLite database`);
  for (const ending of companions) {
    // Also absent if its name would be too long.
    const stats = tryOr(() => lstatSync(`${file.path}${ending}`), undefined);
    if (stats === undefined || (stats.isFile() && stats.nlink === 1)) continue;
    throw failure(
      call,
      `the file beside the database that ends with ${ending} is a link or not a regular file`,
    );
  }
}

/** Files beside a database that SQLite opens by their names. If one were a link, it would read or create a file elsewhere. */
const companions = ['-wal', '-shm', '-journal'] as const;
