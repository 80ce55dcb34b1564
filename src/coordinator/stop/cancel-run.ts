import { AppError } from '../../contract/errors.ts';
import type { UntimedEvent } from '../../contract/event.ts';
import { waitForChange } from '../../db/wait-for-change.ts';
import { commitEvent } from '../events/commit-event.ts';
import { runEnded } from '../events/run-events.ts';
import { writeRunEnd } from '../life/end-run.ts';
import { isAlive, leaseFrom, ownIdentity } from '../life/process-identity.ts';
import { recoverRun } from '../life/recover-runs.ts';
import { dropCheckpoints } from '../store/delete-run.ts';
import type { Stores } from '../store/open-stores.ts';
import type { RunRecord } from '../store/run-store.ts';

export interface CancelOptions {
  /** The surface that asks, for the audit: `cli`. */
  readonly by: string;
  /** How long to wait for the process that owns the run. Default: 10,000. */
  readonly waitMs?: number | undefined;
}

const WAIT_MS = 10_000;

/**
 * Cancels a run. The process that owns it is asked to stop its capsules and end it; a parked run, and a run whose
 * owner is dead, is ended by this process. A cancelled run is left unchanged. Returns the run's row: `cancelled`, or
 * still `running` if its owner has not reacted in time: it reacts as soon as it can.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it has completed or failed, even while this waits.
 */
export async function cancelRun(
  stores: Stores,
  runId: string,
  { by, waitMs = WAIT_MS }: CancelOptions,
): Promise<RunRecord> {
  const { changes, runs } = stores;
  const deadline = performance.now() + waitMs;
  const waiter = waitForChange(changes, changes.closed);
  try {
    for (;;) {
      const run = assertCancellable(runs.find(runId), runId);
      const isLate = performance.now() >= deadline || changes.closed.aborted;
      if (run.status === 'cancelled' || isLate) return run;
      if (!advance(stores, run, by)) await waiter.next();
    }
  } finally {
    waiter.stop();
  }
}

function assertCancellable(run: RunRecord | undefined, id: string): RunRecord {
  if (!run) throw new AppError('RUN_UNKNOWN', { id });
  const { status } = run;
  if (status === 'completed' || status === 'failed')
    throw new AppError('RUN_ENDED', { id, status, what: 'be cancelled' });
  return run;
}

/** One step towards the end; false if only the run's owner can take the next one. */
function advance(stores: Stores, run: RunRecord, by: string): boolean {
  if (run.status === 'parked') {
    cancelParked(stores, run, by);
    return true;
  }
  if (!isAlive(run.owner, run.leaseUntil, stores.now())) {
    recoverRun(stores, run, 'crashed');
    return true;
  }
  request(stores, run.id, by);
  return false;
}

function request(
  { journal, cancelRequests, changes, audit, redactor }: Stores,
  runId: string,
  by: string,
): void {
  if (cancelRequests.of(runId) === 'cancel') return;
  journal.commit(() => {
    if (!cancelRequests.add(runId, by, 'cancel')) return;
    const actor = redactor.redact(`person:${by}`);
    const action = 'run.cancel_requested';
    audit.append({ actor, action, runId, ref: runId, detail: {} });
  });
  changes.notify();
}

/** Claims the parked run and ends it in one transaction, so that nobody resumes it in between. */
function cancelParked(stores: Stores, parked: RunRecord, by: string): void {
  const { id } = parked;
  const { runs, subtasks, db, now, redactor } = stores;
  commitEvent(stores, (): UntimedEvent | undefined => {
    const claim = { ...parked, leaseUntil: leaseFrom(now()) };
    if (!runs.claim(id, ownIdentity(), claim)) return undefined;
    for (const { id: subtask, status } of subtasks.of(id))
      if (open.has(status)) subtasks.end(id, subtask, CANCELLED_SUBTASK);
    const actor = redactor.redact(`person:${by}`);
    writeRunEnd(stores, id, { ...CANCELLED, actor });
    dropCheckpoints(db, id);
    const run = runs.find(id);
    return run && runEnded(runs, run);
  });
}

const open: ReadonlySet<string> = new Set(['pending', 'running', 'waiting_approval']);

const CANCELLED = { status: 'cancelled', reason: 'cancelled', answer: null, error: null } as const;

const CANCELLED_SUBTASK = {
  status: 'cancelled',
  reason: 'cancelled',
  result: undefined,
  error: null,
  capsuleId: null,
} as const;
