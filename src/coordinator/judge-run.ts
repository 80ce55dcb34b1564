import type { IntentStanding } from '../broker/intent-record.ts';
import type { Verdict } from './state.ts';
import type { Reason } from './status.ts';
import type { SubtaskRecord } from './subtask-store.ts';

export interface RunFacts {
  readonly subtasks: readonly Pick<SubtaskRecord, 'phase' | 'status' | 'reason'>[];
  readonly intents: readonly IntentStanding[];
  /** Why the run was told to stop; undefined where it was not. */
  readonly cancelledBy: unknown;
}

/** The reason of a failed run is the first of these that any of its subtasks has. */
const order: readonly Reason[] = [
  'isolation',
  'budget',
  'provider',
  'denied',
  'expired',
  'deadline',
  'protocol',
  'loop',
  'crashed',
  'subtask_failed',
];

/**
 * Judges a run whose subtasks have all ended: completed only where every step of the execution completed and nothing
 * that would have changed something was denied for good.
 */
export function judgeRun({ subtasks, intents, cancelledBy }: RunFacts): Verdict {
  if (cancelledBy !== undefined) {
    return cancelledBy === 'deadline'
      ? { status: 'failed', reason: 'deadline' }
      : { status: 'cancelled', reason: 'cancelled' };
  }
  const failed = subtasks.filter(
    ({ phase, status }) => phase === 'execution' && status !== 'completed',
  );
  if (failed.length > 0) {
    const reason = order.find((candidate) =>
      failed.some((subtask) => subtask.reason === candidate),
    );
    return { status: 'failed', reason: reason ?? 'subtask_failed' };
  }
  const unmended = deniedForGood(intents);
  if (unmended)
    return { status: 'failed', reason: unmended.denial === 'budget' ? 'budget' : 'denied' };
  return { status: 'completed', reason: null };
}

/** An operation of tier 1 or more that was denied, and that the same tool did not later do on the same target. */
function deniedForGood(intents: RunFacts['intents']): RunFacts['intents'][number] | undefined {
  const toolOf = (name: string) => name.split('.')[0];
  return intents.find(
    (intent, index) =>
      intent.status === 'denied' &&
      intent.tier >= 1 &&
      !intents
        .slice(index + 1)
        .some(
          (later) =>
            later.status === 'done' &&
            later.target === intent.target &&
            toolOf(later.name) === toolOf(intent.name),
        ),
  );
}
