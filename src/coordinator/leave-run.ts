import { AppError } from '../contract/errors.ts';
import type { Reason } from '../contract/status.ts';
import { isStorageFailure, type StorageFailure } from '../db/storage-failure.ts';
import type { EventBus } from '../events/bus.ts';
import { endRun } from './end-run.ts';
import { failureOf, reasonOf } from './failure.ts';
import { ownIdentity } from './process-identity.ts';
import { type RecoveryStores, recoverRun } from './recover-runs.ts';
import { endedBy, isInterrupted, type RunStop } from './run-stop.ts';
import type { RunRecord } from './run-store.ts';

export interface LeaveContext extends RecoveryStores {
  readonly events: EventBus;
}

/**
 * Parks a run that stopped before its end if it can be resumed, else ends it.
 *
 * @throws AppError `DATABASE_FAILED`.
 */
export function leaveRun(
  context: LeaveContext,
  run: RunRecord,
  { error, stop: { signal, parking } }: { readonly error: unknown; readonly stop: RunStop },
): void {
  if (isStorageFailure(error)) parkUnwritten(context, run, error);
  else if (isInterrupted(signal))
    recoverRun(context, { ...run, owner: ownIdentity() }, 'interrupted');
  else if (parking.signal.aborted && !signal.aborted)
    parkRun(context, run.id, parking.signal.reason as Reason);
  else endBroken(context, run.id, error, signal);
}

/** Parks the run. Its open questions stay open. */
export function parkRun(
  { runs, journal, audit }: Pick<RecoveryStores, 'runs' | 'journal' | 'audit'>,
  id: string,
  reason: Reason,
): void {
  journal.commit(() => {
    if (!runs.park(id, ownIdentity(), reason)) return;
    const detail = { reason };
    audit.append({ actor: 'coordinator', action: 'run.parked', runId: id, ref: id, detail });
  });
}

/**
 * Parks a run that could not write its rows. If that can't be written either, the rows stay as they are, and the next
 * process that opens the database parks the run.
 */
function parkUnwritten(
  context: LeaveContext,
  { id }: RunRecord,
  { code, message }: StorageFailure,
): void {
  const failure = new AppError('DATABASE_FAILED', { problem: `${message} (${code})` });
  try {
    recoverRun(context, { id, owner: ownIdentity() }, 'interrupted');
  } catch (error) {
    throw isStorageFailure(error) ? failure : error;
  }
  context.events.emit({ type: 'run.noticed', run_id: id, text: failure.message });
}

/** Ends the row of a run that failed outside its subtasks: no plan, no provider, an internal error. */
function endBroken(context: LeaveContext, id: string, error: unknown, signal: AbortSignal): void {
  const stoppedBy = endedBy(signal);
  endRun(context, id, {
    status: stoppedBy === 'cancelled' ? 'cancelled' : 'failed',
    reason: stoppedBy ?? reasonOf(error),
    answer: null,
    error: failureOf(error),
  });
}
