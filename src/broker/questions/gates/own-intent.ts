import type { Approval } from '../../../contract/approval.ts';
import { AppError } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import { wireError } from '../../../contract/wire/error-reply.ts';
import type { Refusal } from '../../../policy/decide/decision.ts';
import { aboutIntent } from '../../intent/record.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import { type Changes, type Proposal, propose, transition } from '../../intent/transitions.ts';
import { askPerson } from '../ask.ts';
import {
  beforeApproval,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
} from '../question.ts';

/**
 * An intent of the coordinator that a person or the policy answers: a new one, or the one that an earlier process left open;
 * and its record, if there is one.
 */
export function ownIntent(
  scope: AttemptScope,
  now: () => Date,
  proposal: Omit<Proposal, 'kind' | 'reason'>,
) {
  const about = { kind: 'tool', reason: '', repeatability: 'pure' } as const;
  const fresh = propose(scope, now, { ...about, ...proposal });
  const recorded = scope.record?.take(undefined, fresh.requestHash);
  return { intent: recorded && isUnsettled(recorded) ? recorded : fresh, recorded };
}

export const isUnsettled = ({ status }: IntentRecord): boolean =>
  status === 'waiting' || status === 'proposed';

/** Asks a person, or continues the question of an earlier process. Undefined if a hook denies it. */
export async function askAboutOwn(
  drafted: Approval,
  intent: IntentRecord,
  context: QuestionContext,
): Promise<Approval | undefined> {
  const earlier = earlierQuestion(drafted, context);
  if (!earlier && (await beforeApproval(drafted, context)).kind === 'deny') return undefined;
  return askPerson(earlier ?? drafted, intent, context);
}

/** Ends an intent of the coordinator. `alsoWrite` is part of the transaction. */
export function endOwn(
  intent: IntentRecord,
  { to, ...changes }: Changes & { readonly to: 'done' | 'denied' },
  { journal, now }: QuestionParts,
  alsoWrite?: () => void,
): void {
  journal.save(transition(intent, to, { ...changes, endedAt: now().toISOString() }), alsoWrite);
}

/** Ends and reports an intent of the coordinator about a capsule that was denied. */
export function endRefused(
  intent: IntentRecord,
  { step, rule, reason, sentence }: Omit<Refusal, 'approved'>,
  parts: QuestionParts,
): void {
  const what = `${intent.name} ${intent.target}`;
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  const error = wireError(new AppError('INTENT_DENIED', { what, reason, sentence }));
  const outcome = { ok: false, error };
  endOwn(intent, { to: 'denied', step, rule, denial: reason, outcome }, parts);
}

/** Ends an intent of the coordinator that nobody answered, with its question. */
export const endUnanswered = (
  intent: IntentRecord,
  by: Pick<Refusal, 'step' | 'rule'>,
  parts: QuestionParts,
): void =>
  endOwn(intent, { ...by, to: 'denied', denial: 'expired', outcome: { ok: false } }, parts, () =>
    parts.approvals.withdraw(intent.id),
  );
