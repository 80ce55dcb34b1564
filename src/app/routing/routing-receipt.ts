import { AppError } from '../../contract/errors.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { SubtaskRecord } from '../../coordinator/subtask-store.ts';
import type { Route } from '../../registry/search/route.ts';
import type { RouteExplanation } from './route-explanation.ts';

/**
 * How a subtask of a run was routed.
 *
 * @param subtaskId Needed if the run has several subtasks.
 * @throws AppError `RUN_UNKNOWN`, `USAGE`.
 */
export function routingReceipt(
  { runs, subtasks }: Stores,
  runId: string,
  subtaskId: string | undefined,
): RouteExplanation {
  const run = findRun(runs, runId);
  const subtask = findSubtask(subtasks.of(run.id), subtaskId);
  if (!subtask.route) {
    const problem = `Subtask ${subtask.id} was not routed: it has no receipt.`;
    throw new AppError('USAGE', { problem });
  }
  return {
    task: subtask.description,
    route: { ...(subtask.route as Route), capsuleId: subtask.capsuleId ?? undefined },
    hasModel: run.provider !== 'offline',
    judge: 'auto',
    quarantined: [],
    isPast: true,
    problems: [],
  };
}

function findSubtask(subtasks: readonly SubtaskRecord[], id: string | undefined): SubtaskRecord {
  const matches = subtasks.filter((subtask) => id === undefined || subtask.id === id);
  const [subtask, other] = matches;
  if (subtask && !other) return subtask;
  const ids = subtasks.map((one) => one.id).join(', ') || 'it has none';
  throw new AppError('USAGE', { problem: `Name one subtask of the run: ${ids}.` });
}
