import type { RunRecord } from '../../../coordinator/store/run-store.ts';
import type { AppContext } from '../../app-context.ts';
import { currentWorkspace } from '../../current-workspace.ts';
import type { RunDiff } from './diff-run.ts';
import type { UndoContext } from './undo-plan.ts';
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

export const changesApi = (context: AppContext): ChangesApi => ({
  async diff(id) {
    const { diffRun } = await import('./diff-run.ts');
    const { findRunToRead } = await import('../../../coordinator/store/find-run.ts');
    const { runs } = await context.stores();
    return diffRun(
      await openChanges(context, await findRunToRead(runs, id, currentWorkspace(context))),
    );
  },
  async undo(id, options) {
    const { undoRun } = await import('./undo-run.ts');
    const { findRunToChange } = await import('../../../coordinator/store/find-run.ts');
    const { runs } = await context.stores();
    return undoRun(await openChanges(context, findRunToChange(runs, id)), options);
  },
});

async function openChanges(context: AppContext, run: RunRecord): Promise<UndoContext> {
  const { protectionFor } = await import('../../wiring/protection.ts');
  const stores = await context.stores();
  const { settings } = await context.settings();
  const isProtected = protectionFor({ ...settings, workspace: run.workspace });
  const { places, undoBytes: maxBytes } = settings;
  return { stores, stateDir: places.stateDir, run, maxBytes, isProtected };
}
