import { findRunToChange } from '../../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { AppContext } from '../../context/open-context.ts';
import { protectionFor } from '../../wiring/protection.ts';
import { findRun } from '../find-run.ts';
import { diffRun, type RunDiff } from './diff-run.ts';
import { type UndoOptions, undoRun } from './undo-run.ts';

/** Implements `runs.diff`. */
export const diffFoundRun = async (context: AppContext, id: string): Promise<RunDiff> =>
  diffRun(await openChanges(context, await findRun(context, id)));

/**
 * Implements `runs.undo`: an act of the person, who may restore whatever the run could change in the workspace, such as
 * `.git`. Only Capstan's own folders stay closed.
 */
export async function undoFoundRun(context: AppContext, id: string, options: UndoOptions) {
  const { runs } = await context.stores();
  const run = findRunToChange(runs, id);
  return undoRun(await openChanges(context, run, [run.workspace]), options);
}

async function openChanges(context: AppContext, run: RunRecord, opened: readonly string[] = []) {
  const stores = await context.stores();
  const { settings } = await context.settings();
  const openPaths = [...settings.openPaths, ...opened];
  const isProtected = protectionFor({ ...settings, workspace: run.workspace, openPaths });
  const { places, undoBytes: maxBytes } = settings;
  return { stores, stateDir: places.stateDir, run, maxBytes, isProtected };
}
