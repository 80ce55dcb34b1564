import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedWith } from '../contract/errors.ts';
import { migrations, schemaAfter } from './migrations.ts';
import { migrate, openDatabase, openForReading } from './open-database.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-db-'));
  path = join(dir, 'state/capstan.db');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('makes a database that only its owner can read, synced at every commit', () => {
  const db = openDatabase(path);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  expect(db.pragma('user_version', { simple: true })).toBe(schemaAfter());
  db.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'state')).mode & 0o777).toBe(0o700);
});

it('opens a database that it made before, and leaves it as it is', () => {
  openDatabase(path).close();
  const db = openDatabase(path);
  expect(db.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 0 });
  db.close();
  expect(existsSync(`${path}.v${schemaAfter()}.backup`)).toBe(false);
});

it('backs up a database of an older schema beside itself, then migrates it', () => {
  openDatabase(path).close();
  const db = new Database(path);
  migrate(db, path, [...migrations, "ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'red'"]);
  expect(db.pragma('user_version', { simple: true })).toBe(schemaAfter() + 1);
  expect(db.prepare('SELECT colour FROM runs').all()).toEqual([]);
  db.close();
  const backup = new Database(`${path}.v${schemaAfter()}.backup`);
  expect(backup.pragma('user_version', { simple: true })).toBe(schemaAfter());
  expect(() => backup.prepare('SELECT colour FROM runs')).toThrow(/no such column/);
  backup.close();
});

it('leaves no part of a backup that could not be completed, and makes it the next time', () => {
  const old = openDatabase(path);
  old.exec(`CREATE TABLE large (content BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
    INSERT INTO large SELECT randomblob(1000) FROM n`);
  old.close();
  const whole = readFileSync(path);
  const cut = Buffer.from(whole).fill(7, whole.length - 4_096);
  const upgrade = () => {
    const db = new Database(path);
    try {
      migrate(db, path, [...migrations, 'CREATE TABLE colours (name TEXT)']);
    } finally {
      db.close();
    }
  };
  writeFileSync(path, cut);
  expect(upgrade).toThrow(/malformed/);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('backup'))).toEqual([]);
  writeFileSync(path, whole);
  upgrade();
  const backup = `${path}.v${schemaAfter()}.backup`;
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('draft'))).toEqual([]);
});

it('refuses a database of a development version, and says what to do', () => {
  const db = openDatabase(path);
  db.pragma('user_version = 25');
  db.close();
  for (const open of [openDatabase, openForReading]) {
    expect(() => open(path)).toThrow(
      /development version wrote it \(schema 25\)\. Move the file away/,
    );
  }
});

it('refuses a database of a newer Capstan, naming both versions', () => {
  const db = openDatabase(path);
  db.pragma('user_version = 999');
  db.close();
  expect(() => openDatabase(path)).toThrow(/newer version of Capstan \(schema 999/);
});

it('refuses the database of another program', () => {
  openDatabase(path).close();
  const other = join(dir, 'other.db');
  const db = new Database(other);
  db.exec('CREATE TABLE theirs (x)');
  db.close();
  expect(() => openDatabase(other)).toThrow(/belongs to another program/);
});

it('refuses the database of another program, whose version is the same or later, and leaves it as it is', () => {
  const other = join(dir, 'other.db');
  const db = new Database(other);
  db.exec('CREATE TABLE theirs (x)');
  for (const version of [schemaAfter(), 999]) {
    db.pragma(`user_version = ${version}`);
    expect(() => openDatabase(other)).toThrow(/belongs to another program/);
    expect(() => openForReading(other)).toThrow(/belongs to another program/);
  }
  expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
  db.close();
});

it('refuses a path that is not a folder', () => {
  writeFileSync(join(dir, 'state'), '');
  expect(() => openDatabase(path)).toThrow(/state is not a folder\. Make it/);
});

it('refuses a file that is not a database, and leaves it untouched', () => {
  const file = join(dir, 'letter.txt');
  writeFileSync(
    file,
    'Dear Sir or Madam, this is not a database at all, as you can see.\n'.repeat(20),
  );
  const before = statSync(file).size;
  let thrown: unknown;
  try {
    openDatabase(file);
  } catch (error) {
    thrown = error;
  }
  expect(failedWith(thrown, 'DATABASE_UNREADABLE')).toBe(true);
  expect(statSync(file).size).toBe(before);
});
