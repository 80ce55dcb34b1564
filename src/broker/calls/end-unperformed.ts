import { AppError } from '../../contract/errors.ts';
import type { IntentReply, WireError } from '../../contract/protocol.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { Consent, Refusal } from '../../policy/decide/decision.ts';
import { aboutIntent, unreserved } from '../intent/record.ts';
import type { AttemptScope, WithMessages } from '../intent/scope.ts';
import { transition } from '../intent/transitions.ts';
import { returnProbe } from '../money/settle.ts';
import { askAboutUnknown } from '../recall/divergence.ts';
import type { Call, CallKind, InvalidCall } from './call.ts';
import { countOutcome, countRequest } from './loop-guard.ts';

type Kind<C extends Call> = Pick<
  CallKind<never, C, { readonly error?: WireError | undefined } & WithMessages>,
  'basis' | 'denialError' | 'outcomeOf' | 'stored' | 'reply'
>;

/** The outcome of a call that is not made. Like any reply, it contains new messages of the person. */
function refused(
  kind: Pick<Kind<never>, 'outcomeOf' | 'stored'>,
  error: WireError,
  { messages }: AttemptScope,
): unknown {
  const outcome = kind.outcomeOf({ ok: false, error });
  return kind.stored(messages?.addTo(outcome) ?? outcome);
}

/** Journals and answers an invalid call, which was neither decided nor performed. */
export function rejectInvalid(
  kind: Pick<Kind<never>, 'outcomeOf' | 'stored' | 'reply'>,
  { intent, problem, context }: InvalidCall,
): IntentReply {
  const { scope, parts } = context;
  const outcome = refused(kind, problem, scope);
  const endedAt = isoTime(parts.now());
  parts.journal.saveSoon(transition(intent, 'failed', { outcome, endedAt }));
  const loop = countRequest(intent, scope.tally);
  if (loop && scope.attemptId !== null) scope.end(loop);
  else countOutcome(problem, scope);
  return kind.reply(outcome);
}

/** Ends the intent, and the attempt with it. */
export function abortAttempt<C extends Call>(
  kind: Kind<C>,
  { intent, context: { scope, parts } }: C,
  error: AppError,
): IntentReply {
  const { code, message } = error;
  const outcome = kind.stored(kind.outcomeOf({ ok: false, error: { code, message } }));
  const endedAt = isoTime(parts.now());
  parts.journal.save(transition(intent, 'failed', { outcome, endedAt }));
  scope.end(error);
  return kind.reply(outcome);
}

/** Journals that a call is not made, because its capsule has ended. Releases reserved money and the breaker's probe. */
export function withdraw<C extends Call>(kind: Kind<C>, call: C): IntentReply {
  const { intent, reservation, context } = call;
  const { scope, parts } = context;
  const { code, message } = new AppError('CANCELLED', {
    what: 'A request of a capsule that ended',
  });
  const outcome = refused(kind, { code, message }, scope);
  const withdrawn = transition(unreserved(intent), 'failed', {
    outcome,
    endedAt: isoTime(parts.now()),
  });
  parts.journal.save(withdrawn, () => returnProbe(reservation, parts));
  return kind.reply(outcome);
}

/** Journals and answers a denial. Releases reserved money and the breaker's probe. */
export function deny<C extends Call>(kind: Kind<C>, call: C, refusal: Refusal): IntentReply {
  const { intent, reservation, context } = call;
  const { scope, parts } = context;
  const { step, rule, reason, sentence } = refusal;
  const { facts } = kind.basis(call);
  scope.tally.denial = reason;
  const outcome = refused(kind, kind.denialError(refusal, intent), scope);
  const endedAt = isoTime(parts.now());
  const columns = { step, rule, denial: reason, facts, outcome, endedAt };
  const denied = transition(unreserved(intent), 'denied', columns);
  parts.journal.save(denied, () => returnProbe(reservation, parts));
  const what = `${intent.name} ${intent.target}`;
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  if (intent.kind === 'chat' && rule === 'breaker_open') scope.parkForProvider?.(sentence);
  return kind.reply(outcome);
}

/**
 * Asks a person about the outcome of an intent whose process died. It is performed again only with their consent.
 *
 * @returns The consent to perform it again, or the reply if it is over.
 * @throws AppError `CANCELLED`.
 */
export async function resolveUnknown<C extends Call>(
  kind: Kind<C>,
  call: C,
): Promise<Consent | IntentReply> {
  const { intent, context } = call;
  const answer = await askAboutUnknown(intent, context);
  if (answer.kind === 'abandon') {
    const what = `${intent.name} ${intent.target}`;
    return abortAttempt(kind, call, new AppError('OUTCOME_ABANDONED', { what }));
  }
  const { approvalId } = answer;
  if (answer.kind === 'it_happened') return recordHappened(kind, call, approvalId);
  return { approved: true, step: 2, rule: 'unknown_outcome', approvalId };
}

/** Ends an intent whose outcome was unknown, after a person confirmed that it happened. */
function recordHappened<C extends Call>(
  kind: Kind<C>,
  { intent, context: { scope, parts } }: C,
  approvalId: string,
): IntentReply {
  const note =
    'A person confirmed that it finished before the interruption. Its output is not known.';
  const outcome = kind.stored(kind.outcomeOf({ ok: true, result: { note } }));
  const endedAt = isoTime(parts.now());
  scope.tally.effects += 1;
  parts.journal.save(transition(intent, 'done', { outcome, endedAt }), () => {
    parts.approvals.consume(approvalId);
  });
  return kind.reply(outcome);
}
