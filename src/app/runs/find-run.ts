import { usage } from '../../contract/usage.ts';
import { findRunToRead } from '../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import type { AppContext } from '../context/open-context.ts';

/**
 * Finds a run to show: by id, by a unique end of it of 4 characters or more, or `last`, the newest of the workspace of the settings.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match.
 */
export async function findRun(context: AppContext, id: string): Promise<RunRecord> {
  const { runs } = await context.stores();
  return findRunToRead(runs, id, currentWorkspace(context));
}

/** @throws AppError `USAGE` if the run can still change. */
export function assertNotRunning({ id, status }: Pick<RunRecord, 'id' | 'status'>): void {
  if (status === 'running' || status === 'pending') throw usage(`Run ${id} is still running.`);
}

/** Looks up the workspace that `last` refers to: the one of the settings in force. */
export const currentWorkspace = (context: AppContext) => async (): Promise<string> =>
  (await context.settings()).settings.workspace;
