import { AppError } from '../../contract/errors.ts';
import type { Reason } from '../../contract/status.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import type { RunContext } from '../context/run-context.ts';
import { callRunHooks } from '../context/run-hooks.ts';
import { decisiveDenials } from '../final/denials.ts';
import { unreadMessages } from '../messages/unread-messages.ts';
import { type ReplacedFor, type SubtaskRecord, toStep } from '../store/subtasks/subtask-record.ts';
import { adoptPlan } from './adopt-plan.ts';
import { withFreeIds } from './make/free-ids.ts';
import { planQuestion } from './make/plan-question.ts';
import { makePlan, type Plan } from './make/planner.ts';
import type { Phase } from './plan.ts';

/** Failures that another plan may solve: of the work, not of the permissions of the run. */
const replannable: ReadonlySet<Reason | null> = new Set<Reason>([
  'subtask_failed',
  'plan_invalid',
  'protocol',
  'crashed',
  'loop',
  'deadline',
]);

/** Why the unfinished steps must be planned again; undefined if they must not. To be called while no step runs. */
export function replanReason(run: RunContext): ReplacedFor | undefined {
  const { parts } = run;
  if (run.signal.aborted) return undefined;
  if (parts.recordedPlans) return parts.recordedPlans.replanReason();
  if (
    hasNewMessage(run) &&
    (currentSteps(run).some(isUnstarted) || unreadMessages(parts, run.record.id).length > 0)
  )
    return 'message';
  return mayPlanAfterFailure(run) ? 'failure' : undefined;
}

/** Whether a step must not start yet, because a message came after it was planned. */
export function isHeld(run: RunContext, id: string): boolean {
  const { parts } = run;
  if (!parts.provider.isModel) return false;
  if (parts.recordedPlans) return parts.recordedPlans.isHeld(id);
  return (
    hasNewMessage(run) && currentSteps(run).some((step) => step.id === id && isUnstarted(step))
  );
}

export const hasNewMessage = ({ parts, record }: RunContext): boolean =>
  parts.messages.of(record.id).some(({ takenAt }) => takenAt === null);

/** Once per run, and only if the run can still complete. */
function mayPlanAfterFailure(run: RunContext): boolean {
  const { parts, record } = run;
  const failed = currentSteps(run).filter(({ status }) => status === 'failed');
  if (failed.length === 0) return false;
  const wasDone = parts.subtasks.of(record.id).some(({ replacedFor }) => replacedFor === 'failure');
  if (wasDone) return false;
  if (!failed.every(({ reason }) => replannable.has(reason))) return false;
  const intents = parts.journal.summariesOf(record.id);
  const hasUnknown = intents.some(({ status }) => status === 'unknown');
  return !hasUnknown && decisiveDenials(intents).length === 0;
}

/**
 * Plans the unfinished steps of the execution again: after a failure the failed ones and those that have not started, after a
 * message those that have not started. Completed steps keep their results.
 *
 * @returns False if there is no new plan: then the failure is final, and after a message the steps stay unchanged.
 * @throws AppError `INTENT_DENIED` if a hook denies; an error that parks the run.
 */
export async function replanRest(run: RunContext, why: ReplacedFor): Promise<boolean> {
  const rows = currentSteps(run);
  const rest = rows.filter((row) => isUnstarted(row) || (why === 'failure' && hasFailed(row)));
  const unfinished = rest.map((row) => ({
    ...toStep(row),
    status: hasFailed(row) ? ('failed' as const) : ('not started' as const),
  }));
  await callRunHooks(run, 'pre_plan', { phase: 'execution' });
  const asked = await planQuestion(run, 'execution', { unfinished, again: why });
  const { earlier, messageIds } = asked;
  const made = await makePlan(run, asked).catch((error) => unlessFatal(run, error));
  const same = { phase: 'execution', steps: withFreeIds(unfinished, earlier) } as const;
  const plan: Plan | undefined = made?.plan ?? (why === 'message' ? same : undefined);
  if (!plan || (why === 'failure' && plan.steps.length === 0)) return false;
  const replaces = { ids: rest.map(({ id }) => id), why };
  await adoptPlan(run, plan, { messageIds, replaces });
  return true;
}

/** The steps of a phase that were not replaced. */
export const currentSteps = (
  { parts, record }: RunContext,
  phase: Phase = 'execution',
): readonly SubtaskRecord[] =>
  parts.subtasks.of(record.id).filter((row) => row.phase === phase && row.replacedFor === null);

/** Whether no capsule has started it. */
export const isUnstarted = ({ status, attempts }: SubtaskRecord): boolean =>
  status === 'pending' && attempts === 0;

const hasFailed = ({ status }: SubtaskRecord): boolean => status === 'failed';

/** Ignores that the planner is unavailable, unless the run parks or its rows can't be written. */
function unlessFatal({ parts, record, scope, signal }: RunContext, error: unknown): undefined {
  if (isStorageFailure(error) || signal.aborted || scope.parking.signal.aborted) throw error;
  if (!(error instanceof AppError)) throw error;
  const text = `The rest of the task could not be planned again: ${error.message}`;
  parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
  return undefined;
}
