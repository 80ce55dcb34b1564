import { AppError } from '../../../contract/errors.ts';
import { findByIdToChange, findByIdToRead, type IdSearch } from './find-by-id.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore } from './run-store.ts';

/**
 * Finds the run for a function that only reads: by its id, its last 4 or more characters, or `last`, the newest run
 * of a task in this workspace.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match.
 */
export async function findRunToRead(
  runs: RunStore,
  id: string,
  workspace: () => Promise<string>,
): Promise<RunRecord> {
  if (id !== 'last') return findByIdToRead(id, searchOf(runs));
  const [newest] = runs.list({ limit: 1, workspace: await workspace(), onlyTasks: true });
  if (newest) return newest;
  throw new AppError('RUN_UNKNOWN', { id });
}

/**
 * Finds the run for a function that changes it: by its id, or by its last 8 or more characters.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match, or if the id is `last` or shorter.
 */
export function findRunToChange(runs: RunStore, id: string): RunRecord {
  const [newest] = id === 'last' ? runs.list({ limit: 1, onlyTasks: true }) : [];
  if (!newest) return findByIdToChange(id, searchOf(runs));
  const problem = `"last" is not exact enough for a change. The newest run is ${newest.id} in ${newest.workspace}.`;
  throw new AppError('USAGE', { problem, id: newest.id });
}

const searchOf = ({ find, endingWith, startingWith }: RunStore): IdSearch<RunRecord> => ({
  what: 'runs',
  find,
  endingWith,
  unknown: (id) => new AppError('RUN_UNKNOWN', { id, meant: startingWith(id)?.id }),
});
