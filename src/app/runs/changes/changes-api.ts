import type { AppContext } from '../../app-context.ts';
import { lazyApi } from '../../lazy-api.ts';
import type { RunDiff } from './diff-run.ts';
import type { UndoOptions, UndoResult } from './undo-run.ts';

/** The part of `capstan.runs` about what runs changed. */
export interface ChangesApi {
  /**
   * What a run changed, file by file, with text differences.
   *
   * @param id The full id, the end of one (4 characters or more), or `last`.
   * @throws AppError `RUN_UNKNOWN`; `USAGE` if several runs match.
   */
  diff(id: string): Promise<RunDiff>;
  /**
   * Undoes the changes of a run: restores, removes and recreates files, and skips those that changed since. The content
   * that it replaces is kept: `redo` restores it.
   *
   * @param id The full id, or its last 8 characters or more.
   * @throws AppError `RUN_UNKNOWN`; `USAGE` if the id is too short, the run is running or its workspace is gone.
   */
  undo(id: string, options: UndoOptions): Promise<UndoResult>;
}

export const changesApi = (context: AppContext): ChangesApi =>
  lazyApi<ChangesApi>(context, {
    diff: async () => (await import('./open-changes.ts')).diffFoundRun,
    undo: async () => (await import('./open-changes.ts')).undoFoundRun,
  });
