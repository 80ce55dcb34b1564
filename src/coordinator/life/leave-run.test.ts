import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { createEventBus } from '../../events/bus.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { createRunStop } from '../stop/run-stop.ts';
import type { Stores } from '../store/create-stores.ts';
import { openStores } from '../store/open-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { leaveRun } from './leave-run.ts';
import { ownIdentity } from './process-identity.ts';
import { recoverRuns } from './recover-runs.ts';

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-leave-'));
  stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'run-1');
  stores.db.prepare('UPDATE runs SET owner = ?').run(ownIdentity());
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

const leave = (failure: Error) => {
  const events = createEventBus(() => new Date(), { clean: (value) => value });
  const run = stores.runs.find('run-1') as RunRecord;
  leaveRun({ ...stores, events }, run, { error: failure, stop: createRunStop() });
};

it('parks a run that the disk failed once, with the error, until it is resumed', () => {
  leave(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'));
  expect(stores.runs.find('run-1')).toMatchObject({
    status: 'parked',
    reason: 'interrupted',
    error: {
      code: 'DATABASE_FAILED',
      message: expect.stringContaining(`${join(dir, 'capstan.db')} can't be used now`),
      next: [{ action: 'resume', id: 'run-1' }],
    },
  });
});

it.each([
  ['SQLITE_FULL', 'DATABASE_FAILED', /its disk is full/],
  ['SQLITE_IOERR_SHMSIZE', 'DATABASE_FAILED', /its disk is full/],
  ['SQLITE_BUSY_SNAPSHOT', 'DATABASE_FAILED', /keeps it locked/],
  ['SQLITE_READONLY_DIRECTORY', 'DATABASE_FAILED', /not writable/],
  ['SQLITE_IOERR_FSYNC', 'DATABASE_FAILED', /its disk reports an error/],
  ['SQLITE_CORRUPT_INDEX', 'DATABASE_UNREADABLE', /it is damaged .*To restore it/],
])('throws an error with the fix if %s keeps it from being parked', (code, error, text) => {
  stores.db.pragma('query_only = ON');
  const failure = new Database.SqliteError('a test', code);
  expect(() => leave(failure)).toThrow(
    expect.objectContaining({ code: error, message: expect.stringMatching(text) }),
  );
});

it('counts the time of a killed run up to its last event', () => {
  const at = '2026-01-01T00:00:00.600Z';
  stores.db
    .prepare('UPDATE runs SET owner = ?, lease_until = ?')
    .run('1:1', '2026-01-01T00:00:15.000Z');
  stores.db
    .prepare("INSERT INTO events (run_id, seq, event) VALUES ('run-1', 1, ?)")
    .run(JSON.stringify({ type: 'run.started', run_id: 'run-1', at }));
  recoverRuns(stores);
  const run = stores.runs.find('run-1') as RunRecord;
  expect(run).toMatchObject({ status: 'parked', reason: 'crashed' });
  expect(stores.runs.durationOf(run)).toBe(600);
});
