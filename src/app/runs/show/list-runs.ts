import { AppError } from '../../../contract/errors.ts';
import type { RunStatus } from '../../../contract/status.ts';
import type { AppContext } from '../../app-context.ts';
import { workspaceFolder } from '../../workspace-folder.ts';
import { type RunSummary, runSummary } from './run-summary.ts';

export interface ListRunsOptions {
  /** The most to return, 1 to 10,000. Default: 20. */
  readonly limit?: number | undefined;
  readonly status?: RunStatus | undefined;
  /** Only runs of this folder, relative to the `cwd` of Capstan. It may have been deleted. Default: all. */
  readonly workspace?: string | undefined;
  /** Only runs that began at this time or later. Default: all. */
  readonly since?: Date | undefined;
}

const MAX_LIMIT = 10_000;

/** Newest first. */
export async function listRuns(
  context: AppContext,
  { limit = 20, status, workspace, since }: ListRunsOptions = {},
): Promise<readonly RunSummary[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    const problem = `limit is ${limit}; it must be a whole number from 1 to ${MAX_LIMIT}.`;
    throw new AppError('USAGE', { problem });
  }
  const stores = await context.stores();
  const folder = workspace === undefined ? undefined : workspaceFolder(context.cwd, workspace);
  return stores.runs
    .list({ limit, status, workspace: folder, since: since?.toISOString() })
    .map((run) => runSummary(stores, run));
}
