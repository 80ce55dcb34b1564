import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRun } from '../../../../test/setup/broker-parts.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import type { Stores } from '../create-stores.ts';
import { openStores } from '../open-stores.ts';
import type { RunClaim } from './run-store.ts';

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-runs-'));
  stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'run-1');
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

const LATER = '2030-01-01T00:00:00Z';
const CLAIM: RunClaim = {
  status: 'parked',
  leaseUntil: LATER,
  options: {},
  policy: {},
  policyVersion: 'p1',
  request: { namedCapsule: null, namedHosts: [] },
};

/** `a` owned the run and was considered dead, and `b` continues it. */
function takenOver() {
  const { runs } = stores;
  const { owner = '' } = runs.find('run-1') ?? {};
  runs.park('run-1', owner, 'crashed');
  expect(runs.claim('run-1', 'a', CLAIM)).toBe(true);
  expect(runs.park('run-1', 'a', 'crashed')).toBe(true);
  expect(runs.claim('run-1', 'b', CLAIM)).toBe(true);
  return runs;
}

describe('a run that another process took over', () => {
  it.each([
    ['extended', (runs: Stores['runs']) => runs.renew('run-1', 'a', '2031-01-01T00:00:00Z')],
    ['parked', (runs: Stores['runs']) => runs.park('run-1', 'a', 'interrupted')],
    [
      'ended',
      (runs: Stores['runs']) =>
        runs.end('run-1', 'a', {
          status: 'completed',
          reason: null,
          answer: '',
          error: null,
          endedAt: LATER,
        }),
    ],
  ] as const)('can not be %s by the one that woke up again', (_what, act) => {
    const runs = takenOver();
    expect(act(runs)).toBe(false);
    expect(runs.find('run-1')).toMatchObject({ status: 'running', owner: 'b', leaseUntil: LATER });
  });
});
