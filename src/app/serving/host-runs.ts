import { AppError } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import { ownIdentity } from '../../coordinator/life/process-identity.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { IS_TASK } from '../../coordinator/store/runs/run-store.ts';
import { waitForChange } from '../../db/changes/wait-for-change.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import type { AppContext } from '../context/open-context.ts';
import type { InternalResumeOptions, ResumeOptions } from '../runs/start/resume-run.ts';
import { type StartOptions, startRun } from '../runs/start/start-run.ts';
import type { StartedRun } from '../runs/start/started-run.ts';

export interface HostedStart extends StartOptions {
  /** The id of the new run, a UUIDv7. Default: made now. */
  readonly id?: string | undefined;
}

/** Runs that one long-lived process executes for surfaces that come and go. */
export interface RunHosting {
  /** Begins to look for runs to continue. Returns how many it continues at once. */
  begin(): number;
  /** As `runs.start`. If this process ends before the run does, the next host continues it. */
  start(options: HostedStart): Promise<StartedRun>;
  /** As `runs.resume`, of a run that it continues from now on. */
  resume(id: string, options?: ResumeOptions): Promise<StartedRun>;
  /** Ends the search for runs to continue. Closing Capstan parks the runs. */
  end(): void;
}

/** A run to continue, and the reason: each is tried once. */
interface ContinuableRun {
  readonly id: string;
  readonly cause: string;
}

/**
 * Runs that only need a host: their questions are answered or have expired, or their process ended after marking them.
 * A mark counts for the process that set it: a run that was resumed elsewhere since then is not taken. A run that a
 * person stopped waits for `resume`; checks and trials are not continued.
 */
const SELECT_CONTINUABLE = `
  SELECT runs.id, hosted_runs.owner AS cause FROM runs
  JOIN hosted_runs ON hosted_runs.run_id = runs.id AND hosted_runs.owner = runs.owner
  WHERE status = 'parked' AND reason IN ('interrupted', 'crashed') AND stopped_by IS NULL AND ${IS_TASK}
  UNION ALL
  SELECT runs.id, max(approvals.answered_at) AS cause FROM runs JOIN approvals ON approvals.run_id = runs.id
  WHERE runs.status = 'parked' AND runs.reason = 'approval' AND runs.stopped_by IS NULL AND ${IS_TASK}
  GROUP BY runs.id
  HAVING sum(approvals.status = 'pending') = 0 AND sum(approvals.status IN ('answered', 'expired')) > 0`;

/** @param onProblem Receives why a run could not be continued; it stays parked. */
export async function hostRuns(
  context: AppContext,
  onProblem: (id: string, error: unknown) => void,
): Promise<RunHosting> {
  const stores = await context.stores();
  const hosted = new Map<string, StartedRun>();
  const keep = (run: StartedRun): StartedRun => {
    hosted.set(run.id, run);
    markHosted(stores, run.id);
    const forget = () => {
      if (hosted.get(run.id) === run) hosted.delete(run.id);
    };
    run.finished.then(forget, forget);
    return run;
  };
  const resume = async (id: string, options: InternalResumeOptions = {}) => {
    const { resumeRun } = await import('../runs/start/resume-run.ts');
    return keep(await resumeRun(context, id, options));
  };
  const due = stores.db.prepare<[], ContinuableRun>(SELECT_CONTINUABLE);
  const tried = new Set<string>();
  const takeDue = () => {
    try {
      stores.desk.expireOverdue();
      for (const { id, cause } of due.all()) {
        const attempt = `${id} ${cause}`;
        if (hosted.has(id) || tried.has(attempt)) continue;
        tried.add(attempt);
        resume(id, { isByHost: true }).catch((error: unknown) => onProblem(id, error));
      }
    } catch (error) {
      onProblem('', error);
    }
  };
  const ending = new AbortController();
  context.onClose(() => ending.abort());
  return {
    begin() {
      void search(stores, takeDue, ending.signal);
      return tried.size;
    },
    start: async (options) => keep(await startRun(context, options)),
    resume,
    end: () => ending.abort(),
  };
}

/** Looks immediately, after each change, and at least once a second. */
async function search(stores: Stores, look: () => void, signal: AbortSignal): Promise<void> {
  const waiter = waitForChange(stores.changes, AbortSignal.any([signal, stores.changes.closed]));
  try {
    while (!signal.aborted && !stores.changes.closed.aborted) {
      look();
      await waiter.next();
    }
  } finally {
    waiter.stop();
  }
}

/** Marks a run, which a host then continues after this process has ended. */
export function markHosted({ db }: Pick<Stores, 'db'>, id: string): void {
  const set = db.prepare('INSERT OR REPLACE INTO hosted_runs (run_id, owner) VALUES (?, ?)');
  set.run(id, ownIdentity());
}

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
