import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { HookVerdict } from '../../hooks/hook.ts';
import type { Ask, Permission, Refusal } from '../../policy/decide/decision.ts';
import { ONCE_ALLOWED } from '../../policy/decide/table.ts';
import { matchesAnswer } from '../../policy/rules/answer-pattern.ts';
import { aboutIntent } from '../intent/record.ts';
import { awaitingAnswer } from '../intent/transitions.ts';
import {
  APPROVE_MODE,
  afterApproval,
  beforeApproval,
  draftQuestion,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
  type QuestionSubject,
} from './question.ts';
import { REMEMBERED, type RememberedAnswer, spendKey } from './remembered-answers.ts';

/** Answers an ask by a remembered answer, by the approve mode, or by a person. Throws `CANCELLED`. */
export async function ask(
  decision: Ask,
  subject: QuestionSubject,
  intent: IntentRecord,
  context: QuestionContext,
): Promise<Permission> {
  const drafted = draftQuestion(decision, subject, intent, context);
  const isAdopted = subject.isAdopted ?? intent.status === 'waiting';
  const earlier = isAdopted ? earlierQuestion(drafted, context) : undefined;
  const why = isAdopted ? `${whyAgain(drafted, context)}${drafted.why}` : drafted.why;
  const question = earlier ?? { ...drafted, why };
  const asking: Asking = { decision, question, intent, context, isOptional: subject.isOptional };
  if (earlier) return byPerson(asking);
  const hook = await beforeApproval(question, context);
  if (hook.kind === 'deny') return refusedByHook(hook);
  if (hook.kind === 'ask')
    return byPerson({ ...asking, question: { ...question, isForced: true } });
  const remembered = decision.forced ? undefined : findRemembered(subject, intent, context);
  if (remembered) return byRememberedAnswer(asking, remembered);
  const { approveMode } = context.scope.run.policy;
  return decision.forced || approveMode === 'ask' ? byPerson(asking) : byMode(asking, approveMode);
}

/** Why a question that a person allowed is another one now; empty if it is not. */
function whyAgain({ intentId, kind, ...now }: Approval, { scope, parts }: QuestionContext): string {
  const own = parts.approvals.of(scope.run.id).filter((one) => one.intentId === intentId);
  const last = own.findLast((one) => one.kind === kind);
  const { status, answer, answeredBy, capsuleHash, policyVersion } = last ?? {};
  if (status !== 'answered' || answer !== 'approve' || answeredBy === APPROVE_MODE) return '';
  const other = policyVersion === now.policyVersion ? 'the request' : 'the policy';
  const changed = capsuleHash === now.capsuleHash ? other : `the files of ${now.capsuleId}`;
  return `You allowed this; it is asked again because ${changed} changed. `;
}

interface Asking {
  readonly decision: Ask;
  readonly question: Approval;
  readonly intent: IntentRecord;
  readonly context: QuestionContext;
  readonly isOptional?: boolean | undefined;
}

const refusedByHook = ({ hook, why }: HookVerdict): Refusal => ({
  approved: false,
  step: 1,
  rule: `hook:${hook}`,
  reason: 'denied',
  sentence: `The hook "${hook}" denied it. ${withFullStop(why)}`.trim(),
});

/** Waits for the answer of a person. Throws `CANCELLED`. */
export async function byPerson(asking: Asking): Promise<Permission> {
  const { decision, question, intent, context, isOptional } = asking;
  if (isOptional && !context.parts.canAnswer(context.scope.run)) {
    return refusal(decision, 'Nobody can be asked now.');
  }
  const decided = await askPerson(question, intent, context);
  const { answer, id, status, answeredBy } = decided;
  if (answer === 'approve') {
    const isByPerson = answeredBy !== APPROVE_MODE && !answeredBy?.startsWith(REMEMBERED);
    return { approved: true, step: 6, rule: decision.rule, approvalId: id, isByPerson };
  }
  return status === 'expired'
    ? refusal(decision, 'Nobody answered in time (CAPSTAN_APPROVAL_DEADLINE_SEC).', 'expired')
    : refusal(decision, denialText(decided));
}

/** Longest part of a note that a capsule gets, in characters. */
const MAX_NOTE_CHARS = 1_000;

function denialText({ note, answeredBy }: Approval): string {
  if (answeredBy?.startsWith(REMEMBERED)) return denialBy(answeredBy.slice(REMEMBERED.length));
  const words = note?.trim() ?? '';
  if (words === '') return 'A person denied it.';
  const shown = words.length > MAX_NOTE_CHARS ? `${words.slice(0, MAX_NOTE_CHARS)}…` : words;
  return `It was denied by a person: ${withFullStop(shown)}`;
}

const denialBy = (rememberedId: string): string =>
  `A remembered answer (${rememberedId}) denies it.`;

const refusal = (
  { rule, sentence }: Ask,
  why: string,
  reason: Refusal['reason'] = 'denied',
): Refusal => {
  const about = sentence.replace(ONCE_ALLOWED, '');
  return { approved: false, step: 6, rule, reason, sentence: `${about} ${why}`.trim() };
};

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
  return find({ runId, capsuleId, capsuleHash, workspace, operation: name }).find(
    ({ pattern, answer }) => matchesAnswer(pattern, { operation, requestHash }, answer),
  );
}

/** If another process has taken the last use, a person is asked. */
async function byRememberedAnswer(
  asking: Asking,
  { id, answer }: RememberedAnswer,
): Promise<Permission> {
  const { question, context } = asking;
  const { parts } = context;
  const given = { answer, by: `${REMEMBERED}${id}` };
  let isUsed = false;
  parts.journal.commit(() => {
    isUsed = parts.remembered.use(id);
    if (!isUsed) return;
    recordAnswer(question, given, parts);
    const { runId } = question;
    const detail = { answer, question: question.id };
    parts.audit.append({ actor: 'policy', action: 'answer.used', runId, ref: id, detail });
  });
  if (!isUsed) return byPerson(asking);
  return answered(asking, given, denialBy(id));
}

/** The rows are written with the next commit of the run: with `started`, before any effect. */
async function byMode(asking: Asking, mode: 'allow' | 'deny'): Promise<Permission> {
  const { question, intent, context } = asking;
  const { parts } = context;
  const given = { answer: mode === 'allow' ? 'approve' : 'deny', by: APPROVE_MODE } as const;
  parts.journal.saveSoon(awaitingAnswer(intent), () => recordAnswer(question, given, parts));
  return answered(asking, given, `The approve mode is "${mode}".`);
}

interface Given {
  readonly answer: 'approve' | 'deny';
  readonly by: string;
}

function recordAnswer(question: Approval, given: Given, parts: QuestionParts): void {
  const { id: ref, runId, binding } = question;
  parts.approvals.insert(question);
  parts.approvals.decide(ref, { ...given, binding });
  const detail = { ...given, binding };
  parts.audit.append({ actor: 'policy', action: 'approval.answered', runId, ref, detail });
}

/** Reports an answer that nobody was asked for. `why` is the reason if it is a denial. */
async function answered(
  { decision, question, intent, context }: Asking,
  { answer, by }: Given,
  why: string,
): Promise<Permission> {
  const { id, kind } = question;
  const { events } = context.parts;
  const about = { ...aboutIntent(intent), approval_id: id };
  events.emit({ type: 'approval.asked', ...about, kind, question: question.question });
  events.emit({ type: 'approval.decided', ...about, answer, by });
  await afterApproval({ ...question, status: 'answered', answer, answeredBy: by }, context);
  if (answer === 'deny') return refusal(decision, why);
  return { approved: true, step: 6, rule: decision.rule, approvalId: id };
}

/**
 * Asks a person and waits, without any deadline except the question's own. The rows of the question and the intent are
 * committed before anyone is asked, so that the question survives this process.
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
  if (!existing) parts.journal.save(awaitingAnswer(intent), () => parts.approvals.open(question));
  const { id, kind } = question;
  const about = { ...aboutIntent(intent), approval_id: id };
  parts.events.emit({ type: 'approval.asked', ...about, kind, question: question.question });
  const decided = await scope.pause(() => parts.desk.wait(id, scope.signal));
  if (!decided) throw new AppError('CANCELLED', { what: 'The wait for an answer' });
  const { answer, answeredBy: by } = decided;
  const said = { answer: answer ?? 'expired', by: by ?? 'nobody' };
  parts.events.emit({ type: 'approval.decided', ...about, ...said });
  await afterApproval(decided, context);
  return decided;
}
