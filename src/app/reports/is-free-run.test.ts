import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addRun } from '../../../test/setup/broker-parts.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { openStores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { isFreeRun } from './run-rows.ts';

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-free-'));
  stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'r');
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

it.each([
  ['costs money', 'openai', [], false],
  ['is free', 'ollama', [], true],
  ['is free', 'openai', [{ limit_usd: 1 }, { limit_usd: null }], true],
  ['costs money', 'openai', [{ limit_usd: null }, { limit_usd: 1 }], false],
])('a run %s with %s and the limits %j', (_what, provider, limits, isFree) => {
  for (const fields of limits) {
    const opened = { run_id: 'r', provider, models: [], origin: null, ...fields };
    stores.eventRows.append({ type: 'provider.opened', ...opened });
  }
  const run = stores.runs.find('r') as RunRecord;
  expect(isFreeRun(stores, { ...run, provider })).toBe(isFree);
});
