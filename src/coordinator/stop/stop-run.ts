import type { RunStatus } from '../../contract/status.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { requestBy } from './cancel-requests.ts';
import type { CancelOptions } from './cancel-run.ts';
import { waitForRun } from './wait-for-run.ts';

/**
 * Parks a run because a person wants it to stop. The process that owns it is asked to; a run whose owner is dead is
 * parked by this process. It is marked, so that only `resume` continues it; a parked run is only marked. Returns the
 * run's row: `parked`, or still `running` if its owner has not reacted in time: it reacts as soon as it can.
 *
 * @throws AppError `RUN_UNKNOWN`; `RUN_ENDED` if it has ended, even while this waits.
 */
export function stopRun(
  stores: Stores,
  runId: string,
  { by, waitMs }: CancelOptions,
): Promise<RunRecord> {
  const run = stores.runs.find(runId);
  if (run && !ENDED.includes(run.status)) request(stores, run, by);
  const options = { ended: ENDED, what: 'be stopped', waitMs, advance: () => false };
  return waitForRun(stores, runId, 'parked', options);
}

const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

/** Marks the run; a live one is asked to park. Stopping it again changes nothing. */
function request(stores: Stores, { id, status, stoppedBy }: RunRecord, by: string): void {
  if (stoppedBy !== null) return;
  const write = () => {
    stores.runs.markStopped(id, by);
    if (status !== 'parked') stores.cancelRequests.add(id, by, 'stop');
    return true;
  };
  requestBy(stores, id, { by, action: 'run.stop_requested', write });
}
