import { type StopOptions, stopRun } from '../../coordinator/stop/stop-run.ts';
import { findRunToChange } from '../../coordinator/store/find-run.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { assertActor } from '../assert-actor.ts';

export interface StopResult {
  readonly id: string;
  /** `running` if the process that owns the run has not reacted yet; it parks the run when it can. */
  readonly status: 'parked' | 'running';
}

/** `runs.stop`: see there. */
export async function stopNamedRun(
  stores: Stores,
  id: string,
  options: StopOptions,
): Promise<StopResult> {
  assertActor(options.by);
  const run = findRunToChange(stores.runs, id);
  const { status } = await stopRun(stores, run.id, options);
  return { id: run.id, status: status === 'parked' ? 'parked' : 'running' };
}
