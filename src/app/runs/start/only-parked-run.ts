import { AppError } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { RunRecord } from '../../../coordinator/store/run-record.ts';
import type { RunStore } from '../../../coordinator/store/run-store.ts';
import type { AppContext } from '../../app-context.ts';
import { currentWorkspace } from '../../find-run.ts';

const MAX_LISTED = 20;
const MAX_TASK_CHARS = 60;

/**
 * The only parked run of this workspace.
 *
 * @throws AppError `NO_RUN_PARKED`; `SEVERAL_RUNS_PARKED` with the newest 20.
 */
export async function onlyParkedRun(context: AppContext, runs: RunStore): Promise<RunRecord> {
  const workspace = await currentWorkspace(context)();
  const found = runs.list({ status: 'parked', workspace, limit: MAX_LISTED });
  const [only, ...others] = found;
  if (!only) {
    const elsewhere = runs.list({ status: 'parked', limit: MAX_LISTED }).length;
    throw new AppError('NO_RUN_PARKED', { workspace, elsewhere });
  }
  if (others.length === 0) return only;
  const ids = found.map(({ id }) => id);
  throw new AppError('SEVERAL_RUNS_PARKED', { workspace, ids, runs: found.map(lineOf) });
}

/** `  9c41d07e  Count the lines`. */
const lineOf = ({ id, task }: RunRecord): string =>
  `  ${id.slice(-8)}  ${printable(task.replace(/\s+/g, ' '), MAX_TASK_CHARS)}`;
