import type { Settings } from '../../config/settings.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { issueLine } from '../../contract/text/issue-line.ts';
import { usage } from '../../contract/usage.ts';
import { capsuleProblem, EditedStep, planProblem, type Step } from '../../coordinator/plan/plan.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';

const MAX_STEPS = 20;

/**
 * Checks the steps that a person edited as a planner's plan is checked.
 *
 * @throws AppError `PLAN_INVALID`, naming the step, the field and the fix; `USAGE` if the question is not about a plan, or
 *   the answer is a denial.
 */
export function assertEditedSteps(
  { runs, subtasks }: Pick<Stores, 'runs' | 'subtasks'>,
  { kind, plan, runId }: Approval,
  answer: ApprovalAnswer,
  given: readonly unknown[],
): readonly Step[] {
  if (kind !== 'plan' || answer !== 'approve')
    throw usage(
      'steps is valid only with the answer "approve" to a question of kind "plan".',
      'steps',
    );
  if (!Array.isArray(given)) throw usage('steps must be a list of steps.', 'steps');
  const steps = given.map(parseStep);
  const planned = new Set(plan?.steps.map(({ id }) => id));
  const earlier = subtasks.of(runId).filter(({ id }) => !planned.has(id));
  const options = runs.find(runId)?.options as Partial<Settings> | undefined;
  const known = earlier.map(({ id }) => id);
  const problem =
    planProblem(steps, known, options?.maxSubtasks ?? MAX_STEPS) ??
    steps.map((step) => capsuleProblem(step, plan?.capsules ?? [])).find((one) => one);
  if (problem === undefined) return steps;
  throw invalid(problem);
}

const invalid = (problem: string) =>
  new AppError('PLAN_INVALID', { problem: `${problem}. Correct it and answer again.` });

function parseStep(given: unknown, index: number): Step {
  const parsed = EditedStep.safeParse(given);
  if (parsed.success) return parsed.data;
  const { id } = (given ?? {}) as { readonly id?: unknown };
  const name = typeof id === 'string' ? `"${escapeText(id.slice(0, 64))}"` : `number ${index + 1}`;
  const issue = issueLine({ issues: parsed.error.issues.slice(0, 1) });
  throw invalid(`step ${name}: ${escapeText(issue)}`);
}
