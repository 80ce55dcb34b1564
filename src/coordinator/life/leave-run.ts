import type { Failure, Reason } from '../../contract/status.ts';
import {
  isStorageFailure,
  type StorageFailure,
  storageError,
} from '../../db/health/storage-failure.ts';
import { failureOf, reasonOf } from '../failure.ts';
import { endedBy, isInterrupted, type RunStop } from '../stop/run-stop.ts';
import type { RunStores, Stores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { endRun } from './end-run.ts';
import { ownIdentity } from './process-identity.ts';
import { recoverRun } from './recover-runs.ts';

/**
 * Parks a run that stopped before its end if it can be resumed, else ends it.
 *
 * @throws AppError `DATABASE_FAILED`, `DATABASE_UNREADABLE`.
 */
export function leaveRun(
  context: RunStores,
  run: RunRecord,
  { error, stop: { signal, parking } }: { readonly error: unknown; readonly stop: RunStop },
): void {
  if (isStorageFailure(error)) parkUnwritten(context, run, error);
  else if (isInterrupted(signal))
    recoverRun(context, { ...run, owner: ownIdentity() }, 'interrupted');
  else if (parking.signal.aborted && !signal.aborted)
    parkRun(context, run.id, parking.signal.reason);
  else {
    const stoppedBy = endedBy(signal);
    endRun(context, run.id, {
      status: stoppedBy === 'cancelled' ? 'cancelled' : 'failed',
      reason: stoppedBy ?? reasonOf(error),
      answer: null,
      error: failureOf(error),
    });
  }
}

/** Parks the run. Its open questions stay open. */
export function parkRun({ runs, journal, audit }: Stores, id: string, reason: Reason): void {
  const error = reason === 'provider' ? outageOf(journal, id) : null;
  journal.commit(() => {
    if (!runs.park(id, ownIdentity(), reason, error)) return;
    const detail = { reason };
    audit.append({ actor: 'coordinator', action: 'run.parked', runId: id, ref: id, detail });
  });
}

/** The last failure of the provider; null if no model call failed. */
function outageOf(journal: Stores['journal'], id: string): Failure | null {
  const failed = journal
    .intentsOf(id)
    .findLast(
      ({ kind, status }) => kind === 'chat' && (status === 'failed' || status === 'denied'),
    );
  const { note } = (failed?.outcome ?? {}) as { readonly note?: string };
  return note === undefined ? null : { code: 'PROVIDER_FAILED', message: note };
}

/**
 * Parks a run that could not write its rows. If that can't be written either, the rows stay as they are, and the next
 * process that opens the database parks the run.
 */
function parkUnwritten(context: RunStores, { id }: RunRecord, error: StorageFailure): void {
  const failure = storageError(error, context.path, id);
  try {
    recoverRun(context, { id, owner: ownIdentity() }, 'interrupted', failureOf(failure));
  } catch (again) {
    throw isStorageFailure(again) ? failure : again;
  }
}
