import { AppError } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Refusal } from '../../../policy/decide/decision.ts';
import { aboutIntent } from '../../intent/record.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import { type Proposal, propose } from '../../intent/transitions.ts';
import type { QuestionParts } from '../question.ts';

interface OwnIntent {
  /** A new intent, or the one that an earlier process left open. */
  readonly intent: IntentRecord;
  readonly recorded: IntentRecord | undefined;
}

/** An intent of the coordinator that a person or the policy answers. */
export function ownIntent(
  scope: AttemptScope,
  now: () => Date,
  proposal: Omit<Proposal, 'kind' | 'reason'>,
): OwnIntent {
  const about = { kind: 'tool', reason: '', repeatability: 'pure' } as const;
  const fresh = propose(scope, now, { ...about, ...proposal });
  const recorded = scope.record?.take(undefined, fresh.requestHash);
  return { intent: recorded && isUnsettled(recorded) ? recorded : fresh, recorded };
}

export const isUnsettled = ({ status }: IntentRecord): boolean =>
  status === 'waiting' || status === 'proposed';

/** Reports that an intent of the coordinator about a capsule was denied. Returns the outcome for its row. */
export function refusedOutcome(
  intent: IntentRecord,
  { reason, sentence }: Pick<Refusal, 'reason' | 'sentence'>,
  { events }: QuestionParts,
) {
  const what = `${intent.name} ${intent.target}`;
  events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  const { code, message } = new AppError('INTENT_DENIED', { what, reason, sentence });
  return { ok: false, error: { code, message } };
}
