import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDatabase } from '../../../../test/setup/temporary-database.ts';
import { type Db, openDatabase } from '../../../db/open-database.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { runEnded } from '../../events/run-events.ts';
import { ownIdentity } from '../../life/process-identity.ts';
import type { RunRecord } from './run-record.ts';
import { createRunStore } from './run-store.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
});

const record: RunRecord = {
  id: 'run-1',
  sessionId: 's',
  task: 't',
  workspace: '/w',
  provider: 'offline',
  isolation: 'none',
  options: {},
  status: 'running',
  reason: null,
  answer: null,
  error: null,
  owner: ownIdentity(),
  leaseUntil: null,
  seed: '',
  policy: {},
  policyVersion: 'v1',
  request: { namedCapsule: null, namedHosts: [] },
  forkedFrom: null,
  forkedAt: null,
  createdAt: '2026-01-02T00:00:00.000Z',
  endedAt: null,
  stoppedBy: null,
};

it('the duration of a run is that of a monotonic clock, also if the wall clock was set back while it ran', async () => {
  const runs = createRunStore(db, noSecrets);
  runs.create(record);
  await pause(30);
  const ended = { status: 'completed', reason: null, answer: 'a', error: null } as const;
  runs.end('run-1', ownIdentity(), { ...ended, endedAt: '2026-01-01T00:00:00.000Z' });
  const duration = runs.durationOf({ ...record, status: 'completed' });
  expect(duration).toBeGreaterThanOrEqual(29);
  expect(duration).toBeLessThan(5_000);
  expect(runEnded(runs, runs.refresh(record))).toMatchObject({ duration_ms: duration });
  const elsewhere = createRunStore(openDatabase(join(dir, 'capstan.db')), noSecrets);
  expect(elsewhere.durationOf(runs.refresh(record))).toBe(duration);
});

it('the duration of a resumed run is the sum of the times in which it was executed', async () => {
  const runs = createRunStore(db, noSecrets);
  runs.create(record);
  await pause(20);
  runs.park('run-1', ownIdentity(), 'approval');
  const parked = runs.durationOf({ ...record, status: 'parked' });
  await pause(60);
  expect(runs.durationOf({ ...record, status: 'parked' })).toBe(parked);
  const { options, policy, policyVersion, request } = record;
  const claim = { status: 'parked', options, policy, policyVersion, request } as const;
  const claimedMs = performance.now();
  runs.claim('run-1', ownIdentity(), { ...claim, leaseUntil: '2026-01-02T00:00:00.000Z' });
  await pause(20);
  const total = runs.durationOf(record);
  expect(total).toBeGreaterThanOrEqual(parked + 19);
  expect(total - parked).toBeLessThan(performance.now() - claimedMs + 1);
});
