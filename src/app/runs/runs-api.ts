import type { NumberedEvent, TextDelta } from '../../contract/event.ts';
import type { EventsOnly, FollowOptions } from '../../coordinator/events/follow-events.ts';
import type { CancelOptions } from '../../coordinator/stop/stop-run.ts';
import type { RunMessage } from '../../coordinator/store/message-store.ts';
import { lazyApi, withStores } from '../calls/lazy-api.ts';
import type { AppContext } from '../context/open-context.ts';
import type { RunDiff } from './changes/diff-run.ts';
import type { UndoOptions, UndoResult } from './changes/undo-run.ts';
import type { DeleteRunsOptions, PrunedRuns } from './delete-runs.ts';
import { followRunEvents } from './follow/follow-events.ts';
import type { RunExport } from './history/find-recording.ts';
import type { ForkOptions, ForkPreview, RunRequest } from './history/fork-run.ts';
import type { ReplayOptions, ReplayReport } from './history/replay-run.ts';
import type { RunDetails } from './show/get-run.ts';
import type { ListRunsOptions, RunSummary } from './show/run-summary.ts';
import type { ResumeOptions } from './start/resume-run.ts';
import { type StartOptions, startRun } from './start/start-run.ts';
import type { StartedRun } from './start/started-run.ts';
import type { CancelResult, StopResult } from './steer-run.ts';

/**
 * `capstan.runs`.
 *
 * A function that only reads takes the id of a run, a unique end of it of 4 characters or more, or `last`: the newest run of
 * the workspace. A change or a fork takes the id, or its last 8 characters or more. All functions with an id throw AppError
 * `RUN_UNKNOWN`, and `USAGE` if several runs match or the end is too short.
 */
export interface RunsApi {
  /**
   * Starts a run and returns as soon as its row exists. One process can run any number of tasks, in any workspaces; the
   * settings of one run never affect another.
   *
   * @throws AppError `SETTINGS_INVALID`; `USAGE`; `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
   */
  start(options: StartOptions): Promise<StartedRun>;
  /**
   * Continues a parked or failed run and returns as soon as this process owns it. Completed subtasks keep their results, and effects
   * that were done are not repeated. If another process already executes the run, follows it instead: `interrupt` then
   * ends only the following.
   *
   * @param id Default: the only parked run of the workspace.
   * @throws AppError `NO_RUN_PARKED`, `SEVERAL_RUNS_PARKED` without an id; `RUN_NOT_PARKED` if it has another status;
   *   `RUN_UNREADABLE`; `SETTINGS_INVALID`; `USAGE`.
   */
  resume(id?: string, options?: ResumeOptions): Promise<StartedRun>;
  /** Newest first. @throws AppError `USAGE`. */
  list(options?: ListRunsOptions): Promise<readonly RunSummary[]>;
  get(id: string): Promise<RunDetails>;
  /** The logged events, one JSON document per line. */
  log(id: string): Promise<string>;
  /**
   * Deletes runs with their journal and logs: all of them or none. Files that they wrote stay. Returns the full ids.
   *
   * @throws AppError `RUN_ACTIVE` if one is running.
   */
  delete(ids: readonly string[], options: DeleteRunsOptions): Promise<readonly string[]>;
  /** Deletes the ended runs that exceed the age or the disk space of the settings. */
  prune(options: DeleteRunsOptions): Promise<PrunedRuns>;

  /**
   * The numbered events of any run, whichever process owns it, after number `after` (default 0: from the first,
   * `run.started`). Numbers have no gap, so an interrupted reader can continue after the last number that it has.
   * Ends after the last event of a run that has ended or parked (`live`: only after it has ended), when `signal`
   * aborts, and when Capstan closes. Events arrive within 50 ms of their commit. A slow reader costs no memory: it reads
   * rows when it asks for the next event.
   *
   * With `deltas: true` also the texts of answers while they arrive, as `model.delta` without a number, and the output of
   * commands that run for more than a second, as `tool.delta`: first the text so far of each call, then at most 20 pieces a
   * second. They are not kept: after `model.answered` or `tool.answered` of their call there are none, and a piece may come
   * before `model.requested`.
   *
   * @throws AppError from the first step, also `USAGE` if `after` is not a number.
   */
  follow(id: string, options?: EventsOnly): AsyncIterableIterator<NumberedEvent>;
  follow(id: string, options: FollowOptions): AsyncIterableIterator<NumberedEvent | TextDelta>;
  /**
   * Ends a run permanently, whichever process owns it; its capsules are stopped gracefully. Waits up to `waitMs` (default
   * 10,000) for the owner. A parked run, and one whose process died, is ended by this process. Cancelling a cancelled
   * run again changes nothing. No other run is touched.
   *
   * @throws AppError `RUN_ENDED` if the run completed or failed.
   */
  cancel(id: string, options: CancelOptions): Promise<CancelResult>;
  /**
   * Parks a live run because a person wants it to stop, whichever process owns it: `interrupted`, and marked, so that no
   * other program takes it over. It continues only by `resume`, with the messages that arrived in between. Waits up to
   * `waitMs` (default 10,000) for the owner. A parked run is only marked.
   *
   * @throws AppError `RUN_ENDED` if it has ended, even while this waits.
   */
  stop(id: string, options: CancelOptions): Promise<StopResult>;
  /**
   * Sends a message to a run that has not ended, or that failed. Its agentic capsules get it before their next model
   * call, and a parked run once it is resumed. At most 100,000 characters; known secrets are removed.
   *
   * @throws AppError `RUN_ENDED` if the run completed or was cancelled; `USAGE` if the text is empty or too long.
   */
  message(id: string, text: string, options: { readonly by: string }): Promise<RunMessage>;

  /** The changes of a run by file, with text differences. */
  diff(id: string): Promise<RunDiff>;
  /**
   * Undoes the changes of a run: restores, removes and recreates files, and skips those that changed since. The content
   * that it replaces is kept: `redo` restores it.
   *
   * @throws AppError `USAGE` if the run is running or its workspace no longer exists.
   */
  undo(id: string, options: UndoOptions): Promise<UndoResult>;

  /**
   * Runs a recorded run again, without key, network or effect, and compares.
   *
   * @param source Id of a run, or the path of a recording file.
   * @throws AppError `RUN_NOT_REPLAYABLE`, `RECORDING_INVALID`, `CANCELLED`, `ISOLATION_MISSING`.
   */
  replay(source: string, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * The text of a recording file, at most 64 MiB, known secrets redacted.
   *
   * @param source Id of a run, or the path of a recording file.
   * @throws AppError `RECORDING_INVALID`, `SETTINGS_INVALID`; `USAGE` if the run is still running.
   */
  export(source: string): Promise<RunExport>;
  /** The requests of a run, in order. @throws AppError `USAGE` if the run is still running. */
  requests(runId: string): Promise<readonly RunRequest[]>;
  /** The steps that a fork would share, and whether the files of its workspace match. @throws AppError `USAGE`. */
  previewFork(options: ForkOptions): Promise<ForkPreview>;
  /**
   * Creates a parked run with the history of another one up to a request. `resume` continues it.
   *
   * @throws AppError `USAGE`, `FORK_FILES_DIFFER`.
   */
  fork(options: ForkOptions): Promise<RunSummary>;
}

export const runsApi = (context: AppContext): RunsApi => ({
  ...lazyApi<Omit<RunsApi, 'start' | 'follow'>>({
    resume: async () => (await import('./start/resume-run.ts')).resumeRun,
    list: async () => (await import('./show/run-summary.ts')).listRuns,
    get: async () => (await import('./show/get-run.ts')).getRun,
    log: async () => (await import('./show/get-run.ts')).readRunLog,
    delete: async () => (await import('./delete-runs.ts')).deleteRuns,
    prune: async () => (await import('./delete-runs.ts')).pruneRuns,
    cancel: async () => withStores((await import('./steer-run.ts')).cancelNamedRun),
    stop: async () => withStores((await import('./steer-run.ts')).stopNamedRun),
    message: async () => withStores((await import('./steer-run.ts')).messageNamedRun),
    diff: async () => (await import('./changes/open-changes.ts')).diffFoundRun,
    undo: async () => (await import('./changes/open-changes.ts')).undoFoundRun,
    replay: async () => (await import('./history/replay-run.ts')).replayRun,
    export: async () => (await import('./history/find-recording.ts')).exportRun,
    requests: async () => (await import('./history/fork-run.ts')).listRequests,
    previewFork: async () => (await import('./history/fork-run.ts')).previewFork,
    fork: async () => (await import('./history/fork-run.ts')).forkRun,
  })(context),
  start: startRun.bind(undefined, context),
  follow: followRunEvents.bind(undefined, context) as RunsApi['follow'],
});
