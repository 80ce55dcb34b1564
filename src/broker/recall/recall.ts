import type { IntentRecord } from '../../contract/intent.ts';
import type { HookAnswer } from '../../policy/decide/tool-call-facts.ts';
import { aboutIntent, hadEffect, noteDiscarded } from '../intent/record.ts';
import type { WithMessages } from '../intent/scope.ts';
import type { QuestionContext } from '../questions/question.ts';
import { isAskedAnew, useOnResume } from './record-pool.ts';

/** The record of an intent. */
export type Recorded =
  /** Its recorded outcome is returned. */
  | { readonly kind: 'answer'; readonly record: IntentRecord }
  /** Its row, and its open question, are continued. */
  | { readonly kind: 'adopt'; readonly record: IntentRecord }
  /** It was requested before, and is performed again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'new' };

/** Step 1: looks the intent up in the record of earlier attempts. */
export function recall(
  { wireId, requestHash }: { readonly wireId: string | undefined; readonly requestHash: string },
  context: QuestionContext,
): Recorded {
  const record = context.scope.record?.take(wireId, requestHash);
  if (!record) return { kind: 'new' };
  const kind = useOnResume(record);
  if (kind === 'adopt') noteReuse(record, context);
  return kind === 'again' ? { kind } : { kind, record };
}

/** Adds the row of another attempt to the record of this one. */
function noteReuse(
  { id, attemptId: before }: IntentRecord,
  { scope, parts }: QuestionContext,
): void {
  const { attemptId } = scope;
  if (attemptId !== null && attemptId !== before) parts.journal.reuseSoon(attemptId, id);
}

/** Counts a recorded outcome for the attempt that gets it. Returns the outcome. */
export function reuse(record: IntentRecord, context: QuestionContext): unknown {
  const { scope, parts } = context;
  const { tally } = scope;
  if (hadEffect(record)) tally.effects += 1;
  if (record.denial !== null) tally.denial = record.denial;
  noteDiscarded(record, scope);
  noteReuse(record, context);
  parts.events.emit({ type: 'intent.recalled', ...aboutIntent(record), what: record.name });
  return withMessages(record, context);
}

/**
 * With its last recorded outcome, an attempt also gets newer messages, so that it has them before it makes
 * anything new. What it still waits for is asked again first.
 */
function withMessages(record: IntentRecord, { scope, parts }: QuestionContext): unknown {
  const { messages, record: pool } = scope;
  const recorded = (record.outcome ?? {}) as WithMessages;
  messages?.recall(recorded);
  const isLast = pool?.left().every(isAskedAnew);
  const outcome = isLast ? messages?.addTo(recorded) : undefined;
  if (outcome === undefined || outcome === recorded) return record.outcome;
  parts.journal.saveSoon({ ...record, outcome });
  return outcome;
}

/**
 * The row of an interrupted intent, with the request as the hooks now change it, so that row, question and effect are
 * about the same request. An intent that had started stays as it was.
 */
export function adoptIntent(record: IntentRecord, proposed: IntentRecord): IntentRecord {
  const isSame = record.requestHash === proposed.requestHash && record.target === proposed.target;
  if (isSame || record.status === 'unknown') return record;
  const { name, target, tier, repeatability, request, requestHash, askedHash } = proposed;
  return { ...record, name, target, tier, repeatability, request, requestHash, askedHash };
}

/** The denial of an intent that had started, if the hooks now change it into a different request. */
export const denialOfChanged = (
  record: IntentRecord,
  proposed: IntentRecord,
): HookAnswer | undefined =>
  record.requestHash === proposed.requestHash
    ? undefined
    : {
        answer: 'deny',
        hook: 'pre_tool_call',
        why: 'It now changes the call into a different one than the one that had started.',
      };
