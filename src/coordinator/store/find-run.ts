import { AppError } from '../../contract/errors.ts';
import { findByIdToChange, findByIdToRead, type IdSearch } from './find-by-id.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/**
 * Finds the run for a function that only reads: by its id, its last 4 or more characters, or `last`, the newest run
 * of this workspace.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match.
 */
export async function findRunToRead(
  runs: RunStore,
  id: string,
  workspace: () => Promise<string>,
): Promise<RunRecord> {
  return id === 'last' ? newestRun(runs, await workspace()) : findByIdToRead(id, searchOf(runs));
}

/**
 * Finds the run for a function that changes it: by its id, its last 8 or more characters, or `last`, the newest run of
 * this workspace.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match, or if the id is shorter.
 */
export async function findRunToChange(
  runs: RunStore,
  id: string,
  workspace: () => Promise<string>,
): Promise<RunRecord> {
  return id === 'last' ? newestRun(runs, await workspace()) : findByIdToChange(id, searchOf(runs));
}

function newestRun(runs: RunStore, workspace: string): RunRecord {
  const [newest] = runs.list({ limit: 1, workspace });
  if (newest) return newest;
  throw unknown('last');
}

const searchOf = ({ find, endingWith }: RunStore): IdSearch<RunRecord> => ({
  what: 'runs',
  find,
  endingWith,
  unknown,
});

const unknown = (id: string): AppError => new AppError('RUN_UNKNOWN', { id });
