import { AppError } from '../contract/errors.ts';
import type { RunRecord, RunStore } from './run-store.ts';

/** How many matches of an ambiguous id an error lists. */
const MAX_NAMED = 3;

/**
 * Finds the run for a function that only reads: by id, by the last 4 or more characters of it, or `last`, the newest run
 * of this workspace.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match.
 */
export async function findRunToRead(
  runs: RunStore,
  id: string,
  workspace: () => Promise<string>,
): Promise<RunRecord> {
  if (id === 'last') return onlyOne(runs.list({ limit: 1, workspace: await workspace() }), id);
  const name = id.toLowerCase();
  return onlyOne(runs.find(name) ?? (isPart(name, 4) ? runs.endingWith(name) : []), id);
}

/**
 * Finds the run for a function that changes it: by id, or by the last 8 or more characters of it.
 *
 * @throws AppError `RUN_UNKNOWN`; `USAGE` if several match, or if the name is shorter.
 */
export function findRunToChange(runs: RunStore, id: string): RunRecord {
  const name = id.toLowerCase();
  const exact = runs.find(name);
  if (exact) return exact;
  if (id === 'last' || (isPart(name, 4) && !isPart(name, 8))) {
    const problem = `"${id}" is not exact enough for a change. Write the last 8 characters of the id.`;
    throw new AppError('USAGE', { problem });
  }
  return onlyOne(isPart(name, 8) ? runs.endingWith(name) : [], id);
}

const isPart = (id: string, minLength: number): boolean =>
  id.length >= minLength && /^[0-9a-f-]{1,36}$/.test(id);

function onlyOne(found: RunRecord | readonly RunRecord[], id: string): RunRecord {
  if ('id' in found) return found;
  const [first, second] = found;
  if (!first) throw new AppError('RUN_UNKNOWN', { id });
  if (!second) return first;
  const shown = found.slice(0, MAX_NAMED).map((run) => run.id);
  const rest = found.length - shown.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const problem = `Several runs end with "${id}": ${shown.join(', ')}${more}. Write more of the id.`;
  throw new AppError('USAGE', { problem });
}
