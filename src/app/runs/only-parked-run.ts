import { AppError } from '../../contract/errors.ts';
import type { RunRecord, RunStore } from '../../coordinator/run-store.ts';
import type { AppContext } from '../app-context.ts';

const MAX_LISTED = 20;

/**
 * The parked run of the workspace that the settings name.
 *
 * @throws AppError `SEVERAL_RUNS_PARKED`, with their ids; `USAGE` if there is none.
 */
export async function onlyParkedRun(context: AppContext, runs: RunStore): Promise<RunRecord> {
  const { workspace } = (await context.settings()).settings;
  const found = runs.list({ status: 'parked', workspace, limit: MAX_LISTED });
  const [only, ...others] = found;
  if (!only) throw new AppError('USAGE', { problem: `No run is parked in ${workspace}.` });
  if (others.length === 0) return only;
  throw new AppError('SEVERAL_RUNS_PARKED', { workspace, ids: found.map(({ id }) => id) });
}
