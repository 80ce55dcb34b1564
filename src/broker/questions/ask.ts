import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { HookVerdict } from '../../hooks/hook.ts';
import type { Permission, Refusal } from '../../policy/decide/decision.ts';
import { type Ask, settleAsk } from '../../policy/decide/settle-ask.ts';
import { matchesAnswer } from '../../policy/rules/answer-pattern.ts';
import { aboutIntent } from '../intent/record.ts';
import { awaitingAnswer } from '../intent/transitions.ts';
import { afterApproval, beforeApproval } from './approval-hooks.ts';
import {
  APPROVE_MODE,
  draftQuestion,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
  type QuestionSubject,
} from './question.ts';
import { type RememberedAnswer, spendKey } from './remembered-answers.ts';

/**
 * Answers an ask: by a remembered answer, by the approve mode, or by a person.
 *
 * @throws AppError `CANCELLED` if the attempt ended while the question waited.
 */
export async function ask(
  decision: Ask,
  subject: QuestionSubject,
  intent: IntentRecord,
  context: QuestionContext,
): Promise<Permission> {
  const question = draftQuestion(decision, subject, intent, context);
  const asking: Asking = { decision, question, intent, context, isOptional: subject.isOptional };
  const earlier = subject.isAdopted ? earlierQuestion(question, context) : undefined;
  if (earlier) return byPerson({ ...asking, question: earlier });
  if (context.parts.hooks.has('pre_approval')) {
    const verdict = await beforeApproval(question, context);
    if (verdict.kind === 'deny') return refusedByHook(verdict);
    if (verdict.kind === 'ask') return byPerson(asking);
  }
  if (!decision.forced) {
    const remembered = findRemembered(subject, intent, context);
    if (remembered) return byRememberedAnswer(asking, remembered);
  }
  const settled = settleAsk(decision, context.scope.run.policy);
  return settled.by === 'person' ? byPerson(asking) : byMode(asking, settled);
}

interface Asking {
  readonly decision: Ask;
  readonly question: Approval;
  readonly intent: IntentRecord;
  readonly context: QuestionContext;
  readonly isOptional: boolean | undefined;
}

const refusedByHook = ({ hook, why }: HookVerdict): Refusal => ({
  approved: false,
  step: 1,
  rule: `hook:${hook}`,
  reason: 'denied',
  sentence: `The hook "${hook}" denied it. ${withFullStop(why)}`.trim(),
});

/** `answeredBy` of automatic answers; the earlier question of a resumed run may have one. */
const REMEMBERED = 'remembered:';

async function byPerson(asking: Asking): Promise<Permission> {
  const { decision, question, intent, context, isOptional } = asking;
  if (isOptional && !context.parts.canAnswer(context.scope.run)) {
    return refusal(decision, `${decision.sentence} Nobody can be asked now.`);
  }
  const { answer, id, status, answeredBy, note } = await askPerson(question, intent, context);
  const { rule, sentence } = decision;
  if (answer === 'approve') {
    const isByPerson = answeredBy !== APPROVE_MODE && !answeredBy?.startsWith(REMEMBERED);
    return { approved: true, step: 6, rule, approvalId: id, isByPerson };
  }
  if (status === 'expired') {
    const why = 'Nobody answered in time (CAPSTAN_APPROVAL_DEADLINE_SEC).';
    return refusal(decision, `${sentence} ${why}`, 'expired');
  }
  return refusal(decision, `${sentence} ${denialText(note)}`);
}

/** Longest part of a note that a capsule gets, in characters. */
const MAX_NOTE_CHARS = 1_000;

/** The denial with the person's note. */
function denialText(note: string | null): string {
  const words = note?.trim() ?? '';
  if (words === '') return 'A person denied it.';
  const shown = words.length > MAX_NOTE_CHARS ? `${words.slice(0, MAX_NOTE_CHARS)}…` : words;
  return `It was denied by a person: ${withFullStop(shown)}`;
}

const refusal = (
  { rule }: Ask,
  sentence: string,
  reason: Refusal['reason'] = 'denied',
): Refusal => ({ approved: false, step: 6, rule, reason, sentence: sentence.trim() });

function findRemembered(
  { operation, payee }: QuestionSubject,
  { requestHash, capsuleId, name, runId }: IntentRecord,
  { scope, parts }: QuestionContext,
): RememberedAnswer | undefined {
  const { capsuleHash, run } = scope;
  const { workspace } = run;
  const find = parts.remembered.inForce;
  if (payee !== undefined) {
    const { pattern, ...key } = spendKey(payee);
    return find({ runId, workspace, ...key }).find((one) => one.pattern === pattern);
  }
  if (!operation) return undefined;
  return find({ runId, capsuleId, capsuleHash, workspace, operation: name }).find(({ pattern }) =>
    matchesAnswer(pattern, { operation, requestHash }),
  );
}

/** If another process has taken the last use, a person is asked. */
async function byRememberedAnswer(
  asking: Asking,
  remembered: RememberedAnswer,
): Promise<Permission> {
  const { decision, question, context } = asking;
  const { parts } = context;
  const { id, answer } = remembered;
  const by = `${REMEMBERED}${id}`;
  let isUsed = false;
  parts.journal.commit(() => {
    isUsed = parts.remembered.use(id);
    if (!isUsed) return;
    recordAnswer(question, { answer, by }, parts);
    const { runId } = question;
    const detail = { answer, question: question.id };
    parts.audit.append({ actor: 'policy', action: 'answer.used', runId, ref: id, detail });
  });
  if (!isUsed) return byPerson(asking);
  await reportAnswer(asking, { answer, by });
  const { rule, sentence } = decision;
  if (answer === 'deny') {
    return refusal(decision, `${sentence} A remembered answer (${id}) denies it.`);
  }
  return { approved: true, step: 6, rule, approvalId: question.id };
}

interface ByMode {
  readonly by: string;
  readonly isApproved: boolean;
  readonly why: string;
}

/** The rows are written with the next commit of the run: with `started`, before any effect. */
async function byMode(asking: Asking, { by, isApproved, why }: ByMode): Promise<Permission> {
  const { decision, question, intent, context } = asking;
  const { parts } = context;
  const answer = isApproved ? 'approve' : 'deny';
  parts.journal.saveSoon(awaitingAnswer(intent), () =>
    recordAnswer(question, { answer, by }, parts),
  );
  await reportAnswer(asking, { answer, by });
  const { rule, sentence } = decision;
  if (!isApproved) return refusal(decision, `${sentence} ${why}`);
  return { approved: true, step: 6, rule, approvalId: question.id };
}

interface Answer {
  readonly answer: 'approve' | 'deny';
  readonly by: string;
}

/** Writes question and answer as one row. */
function recordAnswer(question: Approval, answer: Answer, parts: QuestionParts): void {
  const { id: ref, runId, binding } = question;
  parts.approvals.insert(question);
  parts.approvals.decide(ref, { ...answer, binding });
  const detail = { ...answer, binding };
  parts.audit.append({ actor: 'policy', action: 'approval.answered', runId, ref, detail });
}

async function reportAnswer(
  { question: asked, intent, context }: Asking,
  { answer, by }: Answer,
): Promise<void> {
  const { id, kind, question } = asked;
  const { events, hooks } = context.parts;
  const about = { ...aboutIntent(intent), approval_id: id };
  events.emit({ type: 'approval.asked', ...about, kind, question });
  events.emit({ type: 'approval.decided', ...about, answer, by });
  if (!hooks.has('post_approval')) return;
  await afterApproval({ ...asked, status: 'answered', answer, answeredBy: by }, context);
}

/**
 * Asks a person and waits, without any deadline except the question's own. The rows of the question and the intent are
 * committed before anybody is asked, so that the question survives this process.
 *
 * @returns The row once it is answered or expired.
 * @throws AppError `CANCELLED` if the attempt ended first: the question stays open.
 */
export async function askPerson(
  question: Approval,
  intent: IntentRecord,
  context: QuestionContext,
): Promise<Approval> {
  const { scope, parts } = context;
  parts.desk.expireOverdue();
  const existing = parts.approvals.find(question.id);
  if (existing && existing.status !== 'pending') return existing;
  if (!existing) open(question, intent, parts);
  parts.events.emit({
    type: 'approval.asked',
    ...aboutIntent(intent),
    approval_id: question.id,
    kind: question.kind,
    question: question.question,
  });
  const decided = await scope.pause(() => parts.desk.wait(question.id, scope.signal));
  if (!decided) throw new AppError('CANCELLED', { what: 'The wait for an answer' });
  parts.events.emit({
    type: 'approval.decided',
    ...aboutIntent(intent),
    approval_id: question.id,
    answer: decided.answer ?? 'expired',
    by: decided.answeredBy ?? 'nobody',
  });
  if (parts.hooks.has('post_approval')) await afterApproval(decided, context);
  return decided;
}

function open(question: Approval, intent: IntentRecord, parts: QuestionParts): void {
  const { id: ref, kind, binding, expiresAt, runId } = question;
  const detail = { kind, binding, expiresAt, intent: intent.id };
  parts.journal.save(awaitingAnswer(intent), () => {
    parts.approvals.insert(question);
    parts.audit.append({ actor: 'policy', action: 'approval.asked', runId, ref, detail });
  });
}
