import { AppError } from '../../contract/errors.ts';
import { waitForChange } from '../../db/wait-for-change.ts';
import { isAlive } from '../life/process-identity.ts';
import { recoverRun } from '../life/recover-runs.ts';
import type { Stores } from '../store/open-stores.ts';
import type { RunRecord } from '../store/run-store.ts';
import type { CancelOptions } from './cancel-run.ts';

export type StopOptions = CancelOptions;

const WAIT_MS = 10_000;

/**
 * Parks a run because a person wants it to stop. The process that owns it is asked to; a run whose owner is dead is
 * parked by this process. It is marked, so that only `resume` continues it; a parked run is only marked. Returns the
 * run's row: `parked`, or still `running` if its owner has not reacted in time: it reacts as soon as it can.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it has ended, even while this waits.
 */
export async function stopRun(
  stores: Stores,
  runId: string,
  { by, waitMs = WAIT_MS }: StopOptions,
): Promise<RunRecord> {
  const { changes, runs } = stores;
  const deadline = performance.now() + waitMs;
  const waiter = waitForChange(changes, changes.closed);
  try {
    request(stores, stoppable(runs.find(runId), runId), by);
    for (;;) {
      const run = stoppable(runs.find(runId), runId);
      const isLate = performance.now() >= deadline || changes.closed.aborted;
      if (run.status === 'parked' || isLate) return run;
      if (isAlive(run.owner, run.leaseUntil, stores.now())) await waiter.next();
      else recoverRun(stores, run, 'crashed');
    }
  } finally {
    waiter.stop();
  }
}

function stoppable(run: RunRecord | undefined, id: string): RunRecord {
  if (!run) throw new AppError('RUN_UNKNOWN', { id });
  const { status } = run;
  if (status === 'parked' || status === 'running' || status === 'pending') return run;
  throw new AppError('RUN_ENDED', { id, status, what: 'be stopped' });
}

/** Marks the run; a live one is asked to park. Stopping it again changes nothing. */
function request(
  { journal, cancelRequests, changes, audit, redactor, runs }: Stores,
  { id, status, stoppedBy }: RunRecord,
  by: string,
): void {
  if (stoppedBy !== null) return;
  journal.commit(() => {
    runs.markStopped(id, by);
    if (status !== 'parked') cancelRequests.add(id, by, 'stop');
    const actor = redactor.redact(`person:${by}`);
    audit.append({ actor, action: 'run.stop_requested', runId: id, ref: id, detail: {} });
  });
  changes.notify();
}
