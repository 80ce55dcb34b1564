import type { AppContext } from '../app-context.ts';
import type { DeleteRunsOptions, PrunedRuns } from './delete-runs.ts';
import type { RunDetails } from './get-run.ts';
import type { ListRunsOptions } from './list-runs.ts';
import type { ResumeOptions } from './resume-run.ts';
import type { RunSummary } from './run-summary.ts';
import { type StartOptions, startRun } from './start-run.ts';
import type { StartedRun } from './started-run.ts';

/** `capstan.runs`: start, resume, message, cancel, follow, list, get, diff, undo, delete, prune, export, replay and fork runs. */
export interface RunsApi {
  /**
   * Starts a run and returns as soon as its row exists. One process can run any number of tasks, in any workspaces; the
   * settings of one run never affect another.
   *
   * @throws AppError `SETTINGS_INVALID`, with the id of the failed run that was recorded in `details.runId`; `USAGE`;
   *   `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
   */
  start(options: StartOptions): Promise<StartedRun>;
  /**
   * Continues a parked or failed run and returns as soon as it is ours. Completed subtasks keep their results, and effects
   * that were done are not repeated.
   *
   * @param id Default: the only parked run of the workspace.
   * @throws AppError `RUN_UNKNOWN`; `SEVERAL_RUNS_PARKED`; `RUN_NOT_PARKED` if it has another status; `RUN_UNREADABLE`;
   *   `SETTINGS_INVALID`; `USAGE`.
   */
  resume(id?: string, options?: ResumeOptions): Promise<StartedRun>;
  /** Newest first. @throws AppError `USAGE`. */
  list(options?: ListRunsOptions): Promise<readonly RunSummary[]>;
  /** @throws AppError `RUN_UNKNOWN`; `USAGE` if several ids match. */
  get(id: string): Promise<RunDetails>;
  /** The logged events, one JSON document a line. @throws AppError `RUN_UNKNOWN`; `USAGE`. */
  log(id: string): Promise<string>;
  /**
   * Deletes runs with their journal and logs: all of them or none. Files that they wrote stay. Returns the full ids.
   *
   * @throws AppError `RUN_UNKNOWN`; `USAGE` if one is running.
   */
  delete(ids: readonly string[], options: DeleteRunsOptions): Promise<readonly string[]>;
  /** Deletes the ended runs that are older, or take more room, than the settings keep. */
  prune(options: DeleteRunsOptions): Promise<PrunedRuns>;
}

export const runsApi = (context: AppContext): RunsApi => ({
  start: startRun.bind(undefined, context),
  async resume(id, options) {
    const { resumeRun } = await import('./resume-run.ts');
    return resumeRun(context, id, options);
  },
  async list(options) {
    const { listRuns } = await import('./list-runs.ts');
    return listRuns(context, options);
  },
  async get(id) {
    const { getRun } = await import('./get-run.ts');
    return getRun(await context.stores(), id);
  },
  async log(id) {
    const { readRunLog } = await import('./read-run-log.ts');
    return readRunLog(context, id);
  },
  async delete(ids, options) {
    const { deleteRuns } = await import('./delete-runs.ts');
    return deleteRuns(context, ids, options);
  },
  async prune(options) {
    const { pruneRuns } = await import('./delete-runs.ts');
    return pruneRuns(context, options);
  },
});
