import type { IntentSummary } from '../../contract/intent.ts';
import type { Reason } from '../../contract/status.ts';
import type { Verdict } from '../state.ts';
import type { SubtaskRecord } from '../store/subtasks/subtask-record.ts';
import { decisiveDenials } from './denials.ts';

export interface RunFacts {
  readonly subtasks: readonly (Pick<SubtaskRecord, 'phase' | 'status' | 'reason'> &
    Partial<Pick<SubtaskRecord, 'replacedFor'>>)[];
  readonly intents: readonly IntentSummary[];
  /** Why the run was ended permanently; undefined if it was not. */
  readonly stoppedBy: 'cancelled' | 'deadline' | undefined;
}

/** The reason of a failed run is the first of these that one of its subtasks or denials has: the order of exit codes. */
const order: readonly Reason[] = [
  'deadline',
  'isolation',
  'budget',
  'provider',
  'denied',
  'expired',
  'protocol',
  'loop',
  'limit',
  'crashed',
  'subtask_failed',
];

/**
 * Judges a run whose subtasks have all ended. It completed if every execution step that no later plan replaced completed, no decisive operation was
 * denied, and no outcome is unknown.
 */
export function judgeRun({ subtasks, intents, stoppedBy }: RunFacts): Verdict {
  if (stoppedBy !== undefined)
    return { status: stoppedBy === 'deadline' ? 'failed' : 'cancelled', reason: stoppedBy };
  const failed = subtasks.filter(
    ({ phase, status, replacedFor }) =>
      phase === 'execution' && status !== 'completed' && !replacedFor,
  );
  const denied = decisiveDenials(intents);
  const unknown = intents.filter(({ status }) => status === 'unknown');
  if (failed.length + denied.length + unknown.length === 0)
    return { status: 'completed', reason: null };
  const reasons = new Set<Reason | null>([
    ...unknown.map(() => 'crashed' as const),
    ...failed.map(({ reason }) => reason),
    ...denied.map(({ denial }) => reasonOfDenial(denial)),
  ]);
  return { status: 'failed', reason: order.find((one) => reasons.has(one)) ?? 'subtask_failed' };
}

const reasonOfDenial = (denial: string | null): Reason =>
  order.find((reason) => reason === denial) ?? 'denied';
