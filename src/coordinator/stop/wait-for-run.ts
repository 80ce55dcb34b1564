import { AppError } from '../../contract/errors.ts';
import type { RunStatus } from '../../contract/status.ts';
import { waitForChange } from '../../db/changes/wait-for-change.ts';
import { isAlive } from '../life/process-identity.ts';
import { recoverRun } from '../life/recover-runs.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

export interface WaitOptions {
  /** Statuses in which it is too late. */
  readonly ended: readonly RunStatus[];
  /** What is too late, for the error: `be cancelled`. */
  readonly what: string;
  /** How long to wait for the process that owns the run. Default: 10,000. */
  readonly waitMs?: number | undefined;
  /** One step towards the end; false if only the run's owner can take the next one. The owner is alive. */
  advance(run: RunRecord): boolean;
}

const WAIT_MS = 10_000;

/**
 * Waits until a run has reached a status, and returns its row: as it is if its owner has not reacted in time. A run whose
 * owner is dead is parked by this process.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it is too late, even while this waits.
 */
export async function waitForRun(
  stores: Stores,
  id: string,
  wanted: RunStatus,
  options: WaitOptions,
): Promise<RunRecord> {
  const { changes } = stores;
  const deadline = performance.now() + (options.waitMs ?? WAIT_MS);
  const waiter = waitForChange(changes, changes.closed);
  try {
    for (;;) {
      const run = assertInTime(stores.runs.find(id), id, options);
      const isLate = performance.now() >= deadline || changes.closed.aborted;
      if (run.status === wanted || isLate) return run;
      if (isDead(run, stores.now())) recoverRun(stores, run, 'crashed');
      else if (!options.advance(run)) await waiter.next();
    }
  } finally {
    waiter.stop();
  }
}

function assertInTime(
  run: RunRecord | undefined,
  id: string,
  { ended, what }: WaitOptions,
): RunRecord {
  if (!run) throw new AppError('RUN_UNKNOWN', { id });
  const { status } = run;
  if (ended.includes(status)) throw new AppError('RUN_ENDED', { id, status, what });
  return run;
}

const isDead = ({ status, owner, leaseUntil }: RunRecord, now: Date): boolean =>
  status !== 'parked' && !isAlive(owner, leaseUntil, now);
