import type { Reason } from '../../contract/status.ts';
import type { RunContext } from '../context/run-context.ts';
import { decisiveDenials } from '../final/denials.ts';
import { unreadMessages } from '../messages/unread-messages.ts';
import type { ReplacedFor } from '../store/subtasks/subtask-record.ts';
import { currentSteps, isUnstarted } from './replan-rest.ts';

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
  if (!parts.provider.isModel || run.signal.aborted) return undefined;
  if (parts.recorded) return parts.recorded.plans.replanReason();
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
  if (parts.recorded) return parts.recorded.plans.isHeld(id);
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
