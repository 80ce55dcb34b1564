import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { IntentReply, WireError } from '../../contract/wire/coordinator-messages.ts';
import { wireError } from '../../contract/wire/error-reply.ts';
import type { Consent, Refusal } from '../../policy/decide/decision.ts';
import { aboutIntent, unreserved } from '../intent/record.ts';
import { transition } from '../intent/transitions.ts';
import { returnProbe } from '../money/settle.ts';
import { askAboutUnknown } from '../recall/divergence.ts';
import type { AnyKind, Call, InvalidCall } from './call.ts';
import { countOutcome, countRequest } from './loop-guard.ts';

type Kind<C extends Call> = Pick<AnyKind<C>, 'basis' | 'denialError' | 'outcomeOf' | Reply>;
type Reply = 'stored' | 'reply';

interface End {
  readonly to: 'denied' | 'done' | 'failed';
  /** What went wrong; undefined if the result is `note`. */
  readonly error?: WireError;
  readonly note?: string;
  readonly columns?: Partial<IntentRecord>;
  /** Whether the reply contains new messages of the person, like that of a performed call. */
  readonly takesMessages?: boolean;
  readonly save?: (ended: IntentRecord) => void;
}

/** Journals and answers a call that is not performed. Releases reserved money and the breaker's probe. */
function end(
  kind: Pick<Kind<never>, 'outcomeOf' | Reply>,
  { intent, reservation, context: { scope, parts } }: Call,
  { to, error, note, columns, takesMessages, save }: End,
): IntentReply {
  const plain = kind.outcomeOf(error ? { ok: false, error } : { ok: true, result: { note } });
  const outcome = kind.stored((takesMessages && scope.messages?.addTo(plain)) || plain);
  const endedAt = parts.now().toISOString();
  const ended = transition(unreserved(intent), to, { ...columns, outcome, endedAt });
  if (save) save(ended);
  else parts.journal.save(ended, () => returnProbe(reservation, parts));
  return kind.reply(outcome);
}

/** Journals and answers an invalid call, which was neither decided nor performed. */
export function rejectInvalid(
  kind: Pick<Kind<never>, 'outcomeOf' | Reply>,
  call: InvalidCall,
): IntentReply {
  const { intent, problem: error, context } = call;
  const { scope, parts } = context;
  const reply = end(kind, call, {
    to: 'failed',
    error,
    takesMessages: true,
    save: (ended) => parts.journal.saveSoon(ended),
  });
  reportFailure(call, error.message);
  const loop = countRequest(intent, scope.tally);
  if (loop && scope.attemptId !== null) scope.end(loop);
  else countOutcome(error, scope);
  return reply;
}

/** Ends the intent, and the attempt with it. */
export function abortAttempt<C extends Call>(kind: Kind<C>, call: C, error: AppError): IntentReply {
  const reply = end(kind, call, { to: 'failed', error: wireError(error) });
  call.context.scope.end(error);
  return reply;
}

/** Journals that a call is not made, because its capsule has ended. */
export function withdraw<C extends Call>(kind: Kind<C>, call: C): IntentReply {
  const error = new AppError('CANCELLED', { what: 'A request of a capsule that ended' });
  return end(kind, call, { to: 'failed', error: wireError(error), takesMessages: true });
}

/** Journals and answers a call whose approval no longer covers it. */
function failOutdated<C extends Call>(kind: Kind<C>, call: C, refusal: Refusal): IntentReply {
  const { step, rule, sentence: message } = refusal;
  const error = { code: 'FILE_CHANGED', message };
  const columns = { step, rule, facts: kind.basis(call).facts };
  const reply = end(kind, call, { to: 'failed', error, columns, takesMessages: true });
  reportFailure(call, message);
  countOutcome(error, call.context.scope);
  return reply;
}

function reportFailure({ intent, context }: Call, message: string): void {
  const { name: tool, target } = intent;
  const about = { ...aboutIntent(intent), tool, target, ok: false, message, duration_ms: 0 };
  context.parts.events.emit({ type: 'tool.answered', ...about });
}

/** Journals and answers a denial. */
export function deny<C extends Call>(kind: Kind<C>, call: C, refusal: Refusal): IntentReply {
  if (refusal.isOutdated) return failOutdated(kind, call, refusal);
  const { intent, context } = call;
  const { scope, parts } = context;
  const { step, rule, reason, sentence } = refusal;
  scope.tally.denial = reason;
  const error = kind.denialError(refusal, intent);
  const facts = kind.basis(call).facts ?? refusal.facts;
  const columns = { step, rule, denial: reason, facts };
  const reply = end(kind, call, { to: 'denied', error, columns, takesMessages: true });
  const what = `${intent.name} ${intent.target}`;
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  if (intent.kind === 'chat' && rule === 'breaker_open') scope.parkForProvider?.(sentence);
  return reply;
}

/** Asks a person about the outcome of an intent whose process died. Returns the consent to perform it again, or the final reply. Throws `CANCELLED`. */
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
  if (answer.kind === 'do_it')
    return { approved: true, step: 2, rule: 'unknown_outcome', approvalId };
  const note =
    'A person confirmed that it finished before the interruption. Its output is not known.';
  const { scope, parts } = context;
  scope.tally.effects += 1;
  const save = (ended: IntentRecord) =>
    parts.journal.save(ended, () => void parts.approvals.consume(approvalId));
  return end(kind, call, { to: 'done', note, takesMessages: true, save });
}
