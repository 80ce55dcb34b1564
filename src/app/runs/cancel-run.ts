import { type CancelOptions, cancelRun } from '../../coordinator/stop/cancel-run.ts';
import { findRunToChange } from '../../coordinator/store/find-run.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { assertActor } from '../assert-actor.ts';

export interface CancelResult {
  readonly id: string;
  /** `running` if the process that owns the run has not reacted yet; it ends the run when it can. */
  readonly status: 'cancelled' | 'running';
}

/** `runs.cancel`: see there. */
export async function cancelNamedRun(
  stores: Stores,
  id: string,
  options: CancelOptions,
): Promise<CancelResult> {
  assertActor(options.by);
  const run = findRunToChange(stores.runs, id);
  const { status } = await cancelRun(stores, run.id, options);
  return { id: run.id, status: status === 'cancelled' ? 'cancelled' : 'running' };
}
