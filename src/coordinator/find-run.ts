import { AppError } from '../contract/errors.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/** Of the runs that a short id may mean, so many are named. */
const SHOWN = 3;

/**
 * The run of that id, or the only one whose id begins like this.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` where several fit.
 */
export function findRun(runs: RunStore, id: string): RunRecord {
  const exact = runs.find(id);
  if (exact) return exact;
  const found = /^[0-9a-f-]{4,36}$/.test(id) ? runs.startingWith(id) : [];
  const [first, second] = found;
  if (!first) throw new AppError('RUN_UNKNOWN', { id });
  if (second) {
    const shown = found.slice(0, SHOWN).map((run) => run.id);
    const rest = found.length - shown.length;
    const more = rest > 0 ? ` and ${rest} more` : '';
    const problem = `Several runs begin with "${id}": ${shown.join(', ')}${more}. Write more of the id.`;
    throw new AppError('USAGE', { problem });
  }
  return first;
}
