import { AppError } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import type { StartOptions } from '../runs/start/start-run.ts';
import type { RunHosting } from './host-runs.ts';

export interface DispatchOptions extends StartOptions {
  /** Makes a repeated request harmless: one key starts one run. 8 to 200 characters. Default: none. */
  readonly key?: string | undefined;
}

export interface DispatchedRun {
  readonly id: string;
  /** False if an earlier request with this key started it. */
  readonly isNew: boolean;
}

type Row = Readonly<Record<'requestHash' | 'runId', string>>;

/**
 * Starts a run in the hosting process. The id is stored with the key before the run exists, so a request that is repeated
 * after a crash starts the same run.
 *
 * @throws AppError `KEY_USED` if the key was used for another request, `USAGE` if it is too short; what `runs.start` throws.
 */
export function createDispatcher({ db, runs, now }: Stores, hosting: RunHosting) {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO dispatches (key, request_hash, run_id, created_at) VALUES (?, ?, ?, ?)',
  );
  const find = db.prepare<[string], Row>(
    'SELECT request_hash AS requestHash, run_id AS runId FROM dispatches WHERE key = ?',
  );
  const starting = new Map<string, Promise<DispatchedRun>>();
  const startOnce = async (key: string, options: StartOptions): Promise<DispatchedRun> => {
    const requestHash = sha256(JSON.stringify(options));
    insert.run(key, requestHash, uuidv7(), now().toISOString());
    const row = find.get(key);
    if (row?.requestHash !== requestHash)
      throw new AppError('KEY_USED', { key: key.slice(0, MAX_SHOWN) });
    if (runs.find(row.runId)) return { id: row.runId, isNew: false };
    const { id } = await hosting.start({ ...options, id: row.runId });
    return { id, isNew: true };
  };
  return async ({ key, ...options }: DispatchOptions): Promise<DispatchedRun> => {
    if (key === undefined) return { id: (await hosting.start(options)).id, isNew: true };
    if (!/^[\x21-\x7e]{8,200}$/.test(key)) throw badKey(key);
    const start = Promise.resolve(starting.get(key)?.catch(() => undefined))
      .then(() => startOnce(key, options))
      .finally(() => {
        if (starting.get(key) === start) starting.delete(key);
      });
    starting.set(key, start);
    return start;
  };
}

const MAX_SHOWN = 64;

function badKey(key: string): AppError {
  const shown = JSON.stringify(key.slice(0, MAX_SHOWN));
  const problem = `The idempotency key ${shown} must have 8 to 200 visible characters. Use a new one.`;
  return usage(problem, 'idempotency-key');
}
