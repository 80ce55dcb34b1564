import { isChange, isRefinement, withEarlier } from '../../../offline/plan/follow-up.ts';
import { type PlannedStep, planWhole } from '../../../offline/plan/plan-task.ts';
import { MAX_TASK_CHARS } from '../../contract/limits.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import type { ProviderError } from '../provider.ts';
import type { EarlierTask, PlanDocument } from './documents.ts';
import { needsModel, notPlanned } from './needs-model.ts';

/**
 * Plans a task by rules. Discovery is always empty.
 *
 * @throws ProviderError `needs_model` for an empty or overlong task, more steps than allowed, or a plan that was rejected.
 */
export function makePlan({ task, max_subtasks, problem, conversation }: PlanDocument): {
  readonly discovery: readonly PlannedStep[];
  readonly execution: readonly PlannedStep[];
} {
  if (task.trim() === '') throw needsModel('The task is empty. Write what to do.');
  if (task.length > MAX_TASK_CHARS) {
    throw needsModel(
      `The task has ${task.length} characters; at most ${MAX_TASK_CHARS} are read as steps.`,
    );
  }
  if (problem)
    throw needsModel(
      `The steps of this task were rejected (${problem}), and the offline rules find no others.`,
    );
  // A question that was narrowed in vain is still the last answer.
  const turns = (conversation?.turns ?? []).filter(
    (turn) => turn.status === 'completed' || !isRefinement(turn.task),
  );
  const whole = withEarlier(
    task,
    turns.map((turn) => turn.task),
  );
  if (whole === undefined) throw notRepeated(turns.findLast((turn) => isChange(turn.task)));
  const { steps: execution, problem: unknown } = planWhole(whole);
  if (unknown !== undefined) throw needsModel(unknown);
  if (execution.length > max_subtasks) {
    throw needsModel(
      `The task has ${execution.length} steps; at most ${max_subtasks} are allowed (CAPSTAN_MAX_SUBTASKS). Raise the limit or split the task.`,
    );
  }
  return { discovery: [], execution };
}

/** The error for a follow-up of a task that changes something. */
function notRepeated(turn?: EarlierTask): ProviderError {
  const files = turn?.files ?? [];
  const hasFailed = turn?.status !== 'completed' && files.length === 0;
  const how = files.length > 0 ? 'changed files and ' : hasFailed ? 'did not complete and ' : '';
  const fix = hasFailed ? 'Write the whole task.' : 'Name the file that is meant.';
  const what = turn ? `"${firstLine(turn.task)}"` : 'an earlier task';
  return notPlanned(`It continues ${what}, which ${how}is not done again. ${fix}`);
}
