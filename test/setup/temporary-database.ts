import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../src/db/open-database.ts';

const temporaryFolder = () => realpathSync(mkdtempSync(join(tmpdir(), 'capstan-db-')));

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** The file of an empty database: one is migrated in each process, and all others are copies of it. */
let emptyFile: Buffer | undefined;

function makeEmptyFile(): Buffer {
  const dir = temporaryFolder();
  try {
    const path = join(dir, 'capstan.db');
    openDatabase(path).close();
    return readFileSync(path);
  } finally {
    remove(dir);
  }
}

/** Creates an empty database and opens it. Commits don't wait for the disk: no test cuts the power. */
export function newDatabase(path: string): Db {
  emptyFile ??= makeEmptyFile();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, emptyFile, { mode: 0o600 });
  const db = openDatabase(path);
  db.pragma('synchronous = OFF');
  return db;
}

/** An empty database in its own folder, for one test or its `beforeEach`. Both are removed after the test. */
export function temporaryDatabase(): { readonly dir: string; readonly db: Db } {
  const dir = temporaryFolder();
  const db = newDatabase(join(dir, 'capstan.db'));
  onTestFinished(() => {
    db.close();
    remove(dir);
  });
  return { dir, db };
}
