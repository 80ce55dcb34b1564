import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { aboutIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { askPerson } from '../questions/ask-person.ts';
import { draftQuestion } from '../questions/settle.ts';
import { isEffect, leftAnEffect } from '../tool-calls/left-an-effect.ts';
import { mayBeTheSame } from './may-be-the-same.ts';
import { useOnResume } from './record-pool.ts';

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/** What is recorded of an intent that comes (again). */
export type Recorded =
  /** Its outcome answers it once more. */
  | { readonly kind: 'answer'; readonly record: IntentRecord }
  /** Its row, and the question that stands, go on. */
  | { readonly kind: 'adopt'; readonly record: IntentRecord }
  /** It was asked for before, and is tried anew. */
  | { readonly kind: 'again' }
  | { readonly kind: 'new' };

/** Step 1: looks the intent up in what earlier attempts were told. */
export function takeRecord(
  { wireId, requestHash }: { readonly wireId: string | undefined; readonly requestHash: string },
  where: Where,
): Recorded {
  const record = where.scope.record?.take(wireId, requestHash);
  if (!record) return { kind: 'new' };
  const kind = useOnResume(record);
  if (kind === 'adopt') noteReuse(record, where);
  return kind === 'again' ? { kind } : { kind, record };
}

/** The row of another attempt belongs from now on to the record of this one, too. */
function noteReuse({ id, attemptId: before }: IntentRecord, { scope, parts }: Where): void {
  const { attemptId } = scope;
  if (attemptId !== null && attemptId !== before) parts.journal.reuseSoon(attemptId, id);
}

/** Notes that an attempt was told again what an earlier one had been told, with all that follows from it. */
export function reuse(record: IntentRecord, where: Where): void {
  const { scope, parts } = where;
  const { tally } = scope;
  if (leftAnEffect(record)) tally.effects += 1;
  if (record.denial !== null) tally.denial = record.denial;
  noteReuse(record, where);
  parts.events.emit({ type: 'intent.recalled', ...aboutIntent(record), what: record.name });
}

/**
 * Where a capsule is about to do what its earlier attempt may have done in other words, and has not asked for again, a
 * person says whether to go on. The record stays: what it asks for again later is answered from it. The coordinator's own
 * calls have no order to stray from: its subtasks run side by side, and what is settled is not asked for again.
 *
 * @returns Why the intent may not go on; undefined where it may.
 * @throws AppError `CANCELLED`.
 */
export async function assertOnTrack(
  recorded: Recorded,
  intent: IntentRecord,
  where: Where,
): Promise<AppError | undefined> {
  const { record: pool, attemptId, end } = where.scope;
  if (!pool || attemptId === null) return undefined;
  if (recorded.kind === 'new' && isEffect(intent)) {
    const effects = strayedFrom(pool.left(), intent, where);
    if (effects.length > 0) pool.asking ??= mayGoOn(intent, effects, where);
  } else if (recorded.kind === 'adopt') {
    pool.asking ??= mayStillGoOn(intent, where);
  }
  const refusal = await pool.asking;
  if (refusal) end(refusal);
  return refusal;
}

/** Effects that nothing has asked for again and that may be this one; without those that a person has seen before. */
function strayedFrom(
  left: readonly IntentRecord[],
  intent: IntentRecord,
  { parts }: Where,
): readonly IntentRecord[] {
  const effects = left.filter((one) => leftAnEffect(one) && mayBeTheSame(one, intent));
  if (effects.length === 0) return effects;
  const agreedAt = parts.approvals
    .of(intent.runId)
    .filter(({ kind, subtaskId }) => kind === 'divergence' && subtaskId === intent.subtaskId)
    .filter(({ answer }) => answer === 'approve')
    .reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '');
  return effects.filter(({ proposedAt }) => proposedAt > agreedAt);
}

async function mayGoOn(
  intent: IntentRecord,
  effects: readonly IntentRecord[],
  where: Where,
): Promise<AppError | undefined> {
  const done = effects.map(({ name, target, status }) => `${name} ${target} (${status})`);
  const question = draftQuestion(
    {
      question: `Go on, although ${intent.capsuleId} now asks for something else than before it was interrupted?`,
      sentence: 'What it did then stands, and this may do it again in other words.',
      forced: true,
    },
    intent,
    {
      asked: {
        kind: 'divergence',
        details: [
          `Now it asks for: ${intent.name} ${intent.target}`,
          'Before, it had done, and has not asked for again:',
          ...done.map((line) => `  ${line}`),
        ].join('\n'),
      },
      where,
    },
  );
  return answerOfDivergence(question, intent, { effects: done.length, where });
}

async function answerOfDivergence(
  question: Approval,
  intent: IntentRecord,
  { effects, where }: { readonly effects: number; readonly where: Where },
): Promise<AppError | undefined> {
  const { answer } = await askPerson(question, intent, where);
  const { capsuleId: capsule } = intent;
  return answer === 'approve' ? undefined : new AppError('CAPSULE_DIVERGED', { capsule, effects });
}

/** Where the attempt that first asked for this was asked about, and ended before the answer counted, it counts now. */
function mayStillGoOn(
  intent: IntentRecord,
  where: Where,
): Promise<AppError | undefined> | undefined {
  const question = where.parts.approvals
    .of(intent.runId)
    .filter(({ intentId, kind }) => intentId === intent.id && kind === 'divergence')
    .find(({ status }) => status === 'pending' || status === 'answered');
  return question && answerOfDivergence(question, intent, { effects: 0, where });
}

/** What a person said of an intent that had started when its process died. */
export type UnknownAnswer =
  | { readonly kind: 'do_it'; readonly approvalId: string }
  | { readonly kind: 'it_happened'; readonly approvalId: string }
  | { readonly kind: 'abandon' };

/** @throws AppError `CANCELLED`. */
export async function answerOfUnknown(record: IntentRecord, where: Where): Promise<UnknownAnswer> {
  const standing = where.parts.approvals
    .of(record.runId)
    .filter(({ intentId, kind }) => intentId === record.id && kind === 'unknown')
    .find(({ status }) => status === 'pending' || status === 'answered');
  const question = standing ?? draftUnknown(record, where);
  const { answer, id: approvalId } = await askPerson(question, record, where);
  if (answer === 'do_it' || answer === 'it_happened') return { kind: answer, approvalId };
  return { kind: 'abandon' };
}

/** The question about an effect that may or may not have happened. */
export const draftUnknown = (record: IntentRecord, where: Where) =>
  draftQuestion(
    {
      question: `Did this happen: ${record.name} ${record.target}?`,
      sentence: 'It had been started when the process that did it died.',
      forced: true,
    },
    record,
    {
      asked: { kind: 'unknown', details: JSON.stringify(record.request, undefined, 2) },
      where,
    },
    ['it_happened', 'do_it', 'abandon'],
  );
