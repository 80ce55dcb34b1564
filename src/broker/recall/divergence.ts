import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { toolOf } from '../../tools/toolbox.ts';
import { hadEffect, isEffect } from '../intent/record.ts';
import { askPerson } from '../questions/ask.ts';
import { draftQuestion, type QuestionContext, unknownOutcome } from '../questions/question.ts';
import type { Recorded } from './recall.ts';

/**
 * If a capsule is about to do something that its earlier attempt may have done in another form, and did not request again, a person
 * decides whether it may continue. The rest of the record is kept for later requests. The coordinator's own calls can't
 * diverge: its subtasks run in parallel, and settled requests are not repeated.
 *
 * @returns Why the attempt ended; undefined if it may continue.
 */
export async function assertNotDiverged(
  recorded: Recorded,
  intent: IntentRecord,
  context: QuestionContext,
): Promise<AppError | undefined> {
  const { record: pool, attemptId, end } = context.scope;
  if (!pool || attemptId === null) return undefined;
  if (recorded.kind === 'new' && isEffect(intent)) {
    const effects = unrepeatedEffects(pool.left(), intent, context);
    if (effects.length > 0) pool.asking ??= askToContinue(intent, effects, context);
  } else if (recorded.kind === 'adopt') {
    // Continues the question of an attempt that ended before its answer counted.
    const open = openQuestion(intent, 'divergence', context);
    pool.asking ??= open && answerOf(open, intent, 0, context);
  }
  const refusal = await pool.asking;
  if (refusal) end(refusal);
  return refusal;
}

/** Recorded effects that may be this one and were not requested again, except those that a person has seen before. */
function unrepeatedEffects(
  left: readonly IntentRecord[],
  intent: IntentRecord,
  { parts }: QuestionContext,
): readonly IntentRecord[] {
  const effects = left.filter((one) => hadEffect(one) && isPossiblySameEffect(one, intent));
  if (effects.length === 0) return effects;
  const agreedAt = parts.approvals
    .of(intent.runId)
    .filter(({ kind, subtaskId }) => kind === 'divergence' && subtaskId === intent.subtaskId)
    .filter(({ answer }) => answer === 'approve')
    .reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '');
  return effects.filter(({ proposedAt }) => proposedAt > agreedAt);
}

type Target = Pick<IntentRecord, 'name' | 'target'>;

/** Whether two effects may be the same in different forms. The effect of a command can't be determined from its words. */
function isPossiblySameEffect(one: Target, other: Target): boolean {
  if (isCommand(one) || isCommand(other)) return true;
  return toolOf(one.name) === toolOf(other.name) && one.target === other.target;
}

const isCommand = (one: Target): boolean => (toolOf(one.name)?.effects ?? 'process') === 'process';

function askToContinue(
  intent: IntentRecord,
  effects: readonly IntentRecord[],
  context: QuestionContext,
): Promise<AppError | undefined> {
  const text = {
    question: `Continue, although ${intent.capsuleId} now makes a different request than before it was interrupted?`,
    sentence:
      'Its earlier effects remain, and this request may repeat one of them in another form.',
    forced: true,
  };
  const details = [
    `Now it requests: ${intent.name} ${intent.target}`,
    'Its earlier effects, which it has not requested again:',
    ...effects.map(({ name, target, status }) => `  ${name} ${target} (${status})`),
  ].join('\n');
  const question = draftQuestion(text, { kind: 'divergence', details }, intent, context);
  return answerOf(question, intent, effects.length, context);
}

async function answerOf(
  question: Approval,
  intent: IntentRecord,
  effects: number,
  context: QuestionContext,
): Promise<AppError | undefined> {
  const { answer } = await askPerson(question, intent, context);
  const { capsuleId: capsule } = intent;
  return answer === 'approve' ? undefined : new AppError('CAPSULE_DIVERGED', { capsule, effects });
}

const openQuestion = (
  { id, runId }: IntentRecord,
  kind: Approval['kind'],
  { parts }: QuestionContext,
): Approval | undefined =>
  parts.approvals
    .of(runId)
    .find(
      ({ intentId, status, ...one }) =>
        intentId === id && one.kind === kind && (status === 'pending' || status === 'answered'),
    );

/** Asks a person about an intent whose outcome is unknown. Throws `CANCELLED`. */
export async function askAboutUnknown(intent: IntentRecord, context: QuestionContext) {
  const question =
    openQuestion(intent, 'unknown', context) ??
    draftQuestion(...unknownOutcome(intent), intent, context);
  const { answer, id: approvalId } = await askPerson(question, intent, context);
  const kind = answer === 'do_it' || answer === 'it_happened' ? answer : 'abandon';
  return { kind, approvalId } as const;
}
