import { AppError } from '../../contract/errors.ts';
import type { RunStatus } from '../../contract/status.ts';
import { waitForChange } from '../../db/changes/wait-for-change.ts';
import { commitEvent, runEnded } from '../events/run-events.ts';
import { writeRunEnd } from '../life/end-run.ts';
import { isAlive, leaseFrom, ownIdentity } from '../life/process-identity.ts';
import { recoverRun } from '../life/recover-runs.ts';
import type { Stores } from '../store/create-stores.ts';
import { dropCheckpoints } from '../store/runs/delete-run.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

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
  id: string,
  { by, waitMs }: CancelOptions,
): Promise<RunRecord> =>
  waitForRun(stores, id, 'cancelled', {
    ended: ['completed', 'failed'],
    what: 'be cancelled',
    waitMs,
    advance({ status }) {
      if (status === 'parked') cancelParked(stores, id, by);
      else if (stores.cancelRequests.of(id) !== 'cancel')
        request(stores, id, {
          by,
          action: 'run.cancel_requested',
          write: () => stores.cancelRequests.add(id, by, 'cancel'),
        });
      return status === 'parked';
    },
  });

/**
 * Parks a run because a person wants it to stop. The process that owns it is asked to; a run whose owner is dead is
 * parked by this process. It is marked, so that only `resume` continues it; a parked run is only marked. Returns the
 * run's row: `parked`, or still `running` if its owner has not reacted in time: it reacts as soon as it can.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it has ended, even while this waits.
 */
export function stopRun(
  stores: Stores,
  id: string,
  { by, waitMs }: CancelOptions,
): Promise<RunRecord> {
  const ended: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];
  const run = stores.runs.find(id);
  if (run && !ended.includes(run.status) && run.stoppedBy === null)
    request(stores, id, {
      by,
      action: 'run.stop_requested',
      write() {
        stores.runs.markStopped(id, by);
        if (run.status !== 'parked') stores.cancelRequests.add(id, by, 'stop');
        return true;
      },
    });
  const options = { ended, what: 'be stopped', waitMs, advance: () => false };
  return waitForRun(stores, id, 'parked', options);
}

/** Writes a request to the process that owns a run, with its audit entry if it is a new one, and wakes that process. */
function request(
  { journal, audit, changes, redactor }: Stores,
  runId: string,
  { by, action, write }: { readonly by: string; readonly action: string; write(): boolean },
): void {
  journal.commit(() => {
    if (!write()) return;
    const actor = redactor.redact(`person:${by}`);
    audit.append({ actor, action, runId, ref: runId, detail: {} });
  });
  changes.notify();
}

/** Claims the parked run and ends it in one transaction, so that nobody resumes it in between. */
function cancelParked(stores: Stores, id: string, by: string): void {
  const { runs, subtasks, db, now, redactor } = stores;
  commitEvent(stores, () => {
    const parked = runs.find(id);
    if (parked?.status !== 'parked') return undefined;
    runs.claim(id, ownIdentity(), { ...parked, leaseUntil: leaseFrom(now()) });
    for (const { id: subtask, status } of subtasks.of(id))
      if (open.has(status)) subtasks.end(id, subtask, CANCELLED);
    const actor = redactor.redact(`person:${by}`);
    writeRunEnd(stores, id, { ...CANCELLED, answer: null, actor });
    dropCheckpoints(db, id);
    return runEnded(runs, runs.refresh(parked));
  });
}

const open: ReadonlySet<string> = new Set(['pending', 'running', 'waiting_approval']);
const CANCELLED = { status: 'cancelled', reason: 'cancelled', error: null } as const;

interface WaitOptions {
  readonly ended: readonly RunStatus[];
  /** What is too late, for the error: `be cancelled`. */
  readonly what: string;
  readonly waitMs: number | undefined;
  /** One step towards the end; false if only the run's owner can take the next one. The owner is alive. */
  advance(run: RunRecord): boolean;
}

const WAIT_MS = 10_000;

/**
 * Waits until a run has reached a status, and returns its row: as it is if its owner has not reacted in time. A run whose
 * owner is dead is parked by this process.
 */
async function waitForRun(
  stores: Stores,
  id: string,
  wanted: RunStatus,
  options: WaitOptions,
): Promise<RunRecord> {
  const { runs, changes, now } = stores;
  const deadline = performance.now() + (options.waitMs ?? WAIT_MS);
  const waiter = waitForChange(changes, changes.closed);
  try {
    for (;;) {
      const run = assertInTime(runs.find(id), id, options);
      const isLate = performance.now() >= deadline || changes.closed.aborted;
      if (run.status === wanted || isLate) return run;
      if (isDead(run, now())) recoverRun(stores, run, 'crashed');
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
