import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedWith } from '../contract/errors.ts';
import { migrations } from './migrations.ts';
import { openDatabase, openForReading } from './open-database.ts';

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
  expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
  db.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'state')).mode & 0o777).toBe(0o700);
});

it('opens a database that it made before, and leaves it as it is', () => {
  openDatabase(path).close();
  const db = openDatabase(path);
  expect(db.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 0 });
  db.close();
  expect(existsSync(`${path}.v1.backup`)).toBe(false);
});

it('marks runs from before changes were recorded', () => {
  openDatabase(path).close();
  const old = join(dir, 'old.db');
  const at = migrations.findIndex(({ name }) => name === 'files that runs change, and undos');
  const db = new Database(old);
  for (const { sql } of migrations.slice(0, at)) db.exec(sql);
  db.pragma(`application_id = ${0x43617073}`);
  db.pragma(`user_version = ${at}`);
  db.pragma('foreign_keys = OFF');
  const addRun = (run: string, tier: number, status: string) => {
    db.prepare(
      `INSERT INTO intents (id, run_id, subtask_id, capsule_id, seq, kind, name, target, tier, request, request_hash, reason, status, proposed_at)
       VALUES (?, ?, 's1', 'c', 1, 'tool', 'terminal', '', ?, '{}', 'h', 'r', ?, '2026-01-01')`,
    ).run(`intent of ${run}`, run, tier, status);
    db.prepare(
      `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at, seed, policy, policy_version, wish)
       VALUES (?, 's', 'a task', '/w', 'offline', 'none', '{}', 'completed', 'o', '2026-01-01', 'feed', '{}', 'v', '{}')`,
    ).run(run);
  };
  addRun('wrote', 1, 'done');
  addRun('read', 0, 'done');
  addRun('denied', 1, 'denied');
  db.close();
  const migrated = openDatabase(old);
  expect(migrated.prepare('SELECT * FROM change_gaps').all()).toEqual([
    { run_id: 'wrote', intent_id: 'intent of wrote', reason: 'not_recorded' },
  ]);
  migrated.close();
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
  for (const version of [migrations.length, 999]) {
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
