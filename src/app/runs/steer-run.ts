import type { RunStatus } from '../../contract/status.ts';
import { messageRun } from '../../coordinator/stop/message-run.ts';
import { type CancelOptions, cancelRun, stopRun } from '../../coordinator/stop/stop-run.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunMessage } from '../../coordinator/store/message-store.ts';
import { findRunToChange } from '../../coordinator/store/runs/find-run.ts';
import { assertActor } from '../calls/assert-actor.ts';

export interface CancelResult {
  readonly id: string;
  /** `running` if the process that owns the run has not reacted yet; it ends the run when it can. */
  readonly status: 'cancelled' | 'running';
}

export interface StopResult {
  readonly id: string;
  /** `running` if the process that owns the run has not reacted yet; it parks the run when it can. */
  readonly status: 'parked' | 'running';
}

const ending =
  <Status extends RunStatus>(end: typeof cancelRun, wanted: Status) =>
  async (stores: Stores, given: string, options: CancelOptions) => {
    const id = idToSteer(stores, given, options);
    const { status } = await end(stores, id, options);
    return { id, status: status === wanted ? wanted : ('running' as const) };
  };

/** Implements `runs.cancel`. */
export const cancelNamedRun = ending(cancelRun, 'cancelled');

/** Implements `runs.stop`. */
export const stopNamedRun = ending(stopRun, 'parked');

/** Implements `runs.message`. */
export const messageNamedRun = (
  stores: Stores,
  given: string,
  text: string,
  { by }: { readonly by: string },
): RunMessage => messageRun(stores, idToSteer(stores, given, { by }), { text, by });

function idToSteer({ runs }: Stores, given: string, { by }: { readonly by: string }): string {
  assertActor(by);
  return findRunToChange(runs, given).id;
}
