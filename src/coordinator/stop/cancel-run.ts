import type { UntimedEvent } from '../../contract/event.ts';
import { commitEvent } from '../events/commit-event.ts';
import { runEnded } from '../events/run-events.ts';
import { writeRunEnd } from '../life/end-run.ts';
import { leaseFrom, ownIdentity } from '../life/process-identity.ts';
import type { Stores } from '../store/create-stores.ts';
import { dropCheckpoints } from '../store/runs/delete-run.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { requestBy } from './cancel-requests.ts';
import { waitForRun } from './wait-for-run.ts';

export interface CancelOptions {
  /** The surface that asks, for the audit: `cli`. */
  readonly by: string;
  /** How long to wait for the process that owns the run. Default: 10,000. */
  readonly waitMs?: number | undefined;
}

/**
 * Cancels a run. The process that owns it is asked to stop its capsules and end it; a parked run, and a run whose
 * owner is dead, is ended by this process. A cancelled run is left unchanged. Returns the run's row: `cancelled`, or
 * still `running` if its owner has not reacted in time: it reacts as soon as it can.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it has completed or failed, even while this waits.
 */
export const cancelRun = (
  stores: Stores,
  runId: string,
  { by, waitMs }: CancelOptions,
): Promise<RunRecord> =>
  waitForRun(stores, runId, 'cancelled', {
    ended: ['completed', 'failed'],
    what: 'be cancelled',
    waitMs,
    advance(run) {
      if (run.status === 'parked') cancelParked(stores, run, by);
      else request(stores, run.id, by);
      return run.status === 'parked';
    },
  });

function request(stores: Stores, runId: string, by: string): void {
  const { cancelRequests } = stores;
  if (cancelRequests.of(runId) !== 'cancel')
    requestBy(stores, runId, {
      by,
      action: 'run.cancel_requested',
      write: () => cancelRequests.add(runId, by, 'cancel'),
    });
}

/** Claims the parked run and ends it in one transaction, so that nobody resumes it in between. */
function cancelParked(stores: Stores, parked: RunRecord, by: string): void {
  const { id } = parked;
  const { runs, subtasks, db, now, redactor } = stores;
  commitEvent(stores, (): UntimedEvent | undefined => {
    const claim = { ...parked, leaseUntil: leaseFrom(now()) };
    if (!runs.claim(id, ownIdentity(), claim)) return undefined;
    for (const { id: subtask, status } of subtasks.of(id))
      if (open.has(status)) subtasks.end(id, subtask, CANCELLED);
    const actor = redactor.redact(`person:${by}`);
    writeRunEnd(stores, id, { ...CANCELLED, answer: null, actor });
    dropCheckpoints(db, id);
    const run = runs.find(id);
    return run && runEnded(runs, run);
  });
}

const open: ReadonlySet<string> = new Set(['pending', 'running', 'waiting_approval']);
const CANCELLED = { status: 'cancelled', reason: 'cancelled', error: null } as const;
