import { AppError } from '../errors.ts';
import type { RunRecord, RunStore } from './run-store.ts';

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
    const ids = found.map((run) => run.id).join(', ');
    throw new AppError('USAGE', { problem: `Several runs begin with "${id}": ${ids}.` });
  }
  return first;
}
