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

/** Implements `runs.cancel`. */
export async function cancelNamedRun(
  stores: Stores,
  given: string,
  options: CancelOptions,
): Promise<CancelResult> {
  const id = idToSteer(stores, given, options);
  const { status } = await cancelRun(stores, id, options);
  return { id, status: status === 'cancelled' ? status : 'running' };
}

/** Implements `runs.stop`. */
export async function stopNamedRun(
  stores: Stores,
  given: string,
  options: CancelOptions,
): Promise<StopResult> {
  const id = idToSteer(stores, given, options);
  const { status } = await stopRun(stores, id, options);
  return { id, status: status === 'parked' ? status : 'running' };
}

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
