import type { AppContext } from '../../app-context.ts';
import { lazyApi } from '../../lazy-api.ts';
import type { RunSummary } from '../show/run-summary.ts';
import type { RunExport } from './find-recording.ts';
import type { ForkOptions, ForkPreview, RunRequest } from './fork-run.ts';
import type { ReplayOptions, ReplayReport } from './replay-run.ts';

/** The part of `capstan.runs` that works on the history of a run: replay, export and fork. */
export interface HistoryApi {
  /**
   * Runs a recorded run again, without key, network or effect, and compares.
   *
   * @param source Id of a run, or the path of a recording file.
   * @throws AppError `RUN_NOT_REPLAYABLE`, `RUN_UNKNOWN`, `RECORDING_INVALID`, `CANCELLED`, `ISOLATION_MISSING`.
   */
  replay(source: string, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * The text of a recording file, at most 64 MiB, known secrets redacted.
   *
   * @param source Id of a run, or the path of a recording file.
   * @throws AppError `RUN_UNKNOWN`, `RECORDING_INVALID`, `SETTINGS_INVALID`; `USAGE` if the run is still running.
   */
  export(source: string): Promise<RunExport>;
  /** The requests of a run, in their order. @throws AppError `RUN_UNKNOWN`; `USAGE` if the run is still running. */
  requests(runId: string): Promise<readonly RunRequest[]>;
  /** What a fork would share, and whether the files of its workspace match it. @throws AppError `RUN_UNKNOWN`, `USAGE`. */
  previewFork(options: ForkOptions): Promise<ForkPreview>;
  /**
   * Creates a parked run with the history of another one up to a request. `resume` continues it.
   *
   * @throws AppError `RUN_UNKNOWN`, `USAGE`, `FORK_FILES_DIFFER`.
   */
  fork(options: ForkOptions): Promise<RunSummary>;
}

export const historyApi = (context: AppContext) =>
  lazyApi<HistoryApi>(context, {
    replay: async () => (await import('./replay-run.ts')).replayRun,
    export: async () => (await import('./find-recording.ts')).exportRun,
    requests: async () => (await import('./fork-run.ts')).listRequests,
    previewFork: async () => (await import('./fork-run.ts')).previewFork,
    fork: async () => (await import('./fork-run.ts')).forkRun,
  });
