import { AppError } from '../../contract/errors.ts';
import type { SubtaskRecord } from '../../coordinator/store/subtask-store.ts';
import type { Route } from '../../registry/search/route.ts';
import type { AppContext } from '../app-context.ts';
import { findRun } from '../find-run.ts';
import type { RouteExplanation } from './route-explanation.ts';

/** `routing.receipt`: see there. */
export async function routingReceipt(
  context: AppContext,
  runId: string,
  subtaskId?: string,
): Promise<RouteExplanation> {
  const { subtasks } = await context.stores();
  const run = await findRun(context, runId);
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
