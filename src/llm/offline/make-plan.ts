import { withEarlier } from '../../../offline/plan/follow-up.ts';
import type { PlannedStep } from '../../../offline/plan/plan-task.ts';
import { planWhole } from '../../../offline/plan/plan-whole.ts';
import type { PlanDocument } from './documents.ts';
import { needsModel } from './needs-model.ts';

/** Longest task for the planning rules, in characters. */
const maxTaskChars = 100_000;

export interface MadePlan {
  readonly discovery: readonly PlannedStep[];
  readonly execution: readonly PlannedStep[];
}

/**
 * Plans a task by rules. Discovery is always empty.
 *
 * @throws ProviderError `needs_model` for an empty or overlong task, more steps than allowed, or a plan that was rejected.
 */
export function makePlan({ task, max_subtasks, problem, conversation }: PlanDocument): MadePlan {
  if (task.trim() === '') throw needsModel('The task is empty. Write what to do.');
  if (task.length > maxTaskChars) {
    throw needsModel(
      `The task has ${task.length} characters; at most ${maxTaskChars} are read as steps.`,
    );
  }
  if (problem)
    throw needsModel(
      `The steps of this task were rejected (${problem}), and the offline rules find no others.`,
    );
  const earlier = conversation?.turns.map((turn) => turn.task) ?? [];
  const whole = withEarlier(task, earlier);
  if (whole === undefined) {
    throw needsModel(
      'It continues a task that changed files, which is not done again. Name the file that is meant.',
    );
  }
  const { steps: execution, problem: unknown } = planWhole(whole);
  if (unknown !== undefined) throw needsModel(unknown);
  if (execution.length > max_subtasks) {
    throw needsModel(
      `The task has ${execution.length} steps; at most ${max_subtasks} are allowed (CAPSTAN_MAX_SUBTASKS). Raise the limit or split the task.`,
    );
  }
  return { discovery: [], execution };
}
