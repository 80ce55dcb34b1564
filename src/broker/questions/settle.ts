import type { Approval, ApprovalAnswer, ApprovalKind } from '../../contract/approval.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/operation.ts';
import type { HookVerdict } from '../../hooks/hook.ts';
import { matchesAnswer } from '../../policy/answer-pattern.ts';
import { type Ask, settleAsk } from '../../policy/settle-ask.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { aboutIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { afterApproval, beforeApproval } from './approval-hooks.ts';
import { askPerson } from './ask-person.ts';
import { bindingOf } from './binding.ts';
import { type RememberedAnswer, spendKey } from './remembered-answers.ts';
import type { Refusal, Settlement } from './settlement.ts';

/** What is put into a question beside the decision and the intent. */
export interface Asked {
  readonly kind: ApprovalKind;
  /** All that will be done, in full. */
  readonly details: string;
  /** Most that it may cost; null where nobody knows. Default: nothing. */
  readonly costMicroUsd?: number | null;
  /** What remembered answers are matched with; left out where none applies. */
  readonly operation?: Operation;
  /** The provider or service that a consent to spend may be remembered for. */
  readonly payee?: string;
  /** The same intent was asked about before this process began: that question goes on. */
  readonly isAdopted?: boolean;
}

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

/**
 * Turns an ask into a yes or a no: it is answered by what a person said of its like, by the approve mode, or by a
 * person.
 *
 * @throws AppError `CANCELLED` where the attempt ended while the question waited.
 */
export async function settle(
  ask: Ask,
  intent: IntentRecord,
  asked: Asked,
  where: Where,
): Promise<Settlement> {
  const question = draftQuestion(ask, intent, { asked, where });
  const standing = asked.isAdopted ? standingQuestion(question, where) : undefined;
  if (standing) return byPerson(ask, standing, intent, where);
  const verdict = await beforeApproval(question, where);
  if (verdict.kind === 'deny') return refusedByHook(verdict);
  if (verdict.kind === 'ask') return byPerson(ask, question, intent, where);
  if (!ask.forced) {
    const remembered = findRemembered(asked, intent, where);
    if (remembered) return byMemory(ask, question, { intent, remembered }, where);
  }
  const { approveMode } = where.scope.run.policy;
  const settled = settleAsk(ask, { approveMode });
  if (settled.by === 'person') return byPerson(ask, question, intent, where);
  return byMode(ask, question, { intent, settled }, where);
}

const refusedByHook = ({ hook, why }: HookVerdict): Refusal => ({
  approved: false,
  step: 1,
  rule: `hook:${hook}`,
  reason: 'denied',
  sentence: `The hook "${hook}" says no. ${why}`.trim(),
});

const CHOICES: readonly ApprovalAnswer[] = ['approve', 'deny'];

/** The question as a row, not written yet. */
export function draftQuestion(
  { question, sentence, forced }: Pick<Ask, 'question' | 'sentence' | 'forced'>,
  intent: IntentRecord,
  { asked, where }: { readonly asked: Asked; readonly where: Where },
  choices: readonly ApprovalAnswer[] = CHOICES,
): Approval {
  const { scope, parts } = where;
  const { workspace, policy } = scope.run;
  const bound = {
    requestHash: intent.requestHash,
    runId: intent.runId,
    workspace,
    capsuleHash: scope.capsuleHash,
    policyVersion: policy.version,
  };
  return parts.approvals.draft({
    ...bound,
    intentId: intent.id,
    subtaskId: intent.subtaskId,
    capsuleId: intent.capsuleId,
    kind: asked.kind,
    question,
    why: sentence,
    details: asked.details,
    capsuleReason: intent.reason,
    operation: intent.name,
    target: intent.target,
    tier: intent.tier,
    costMicroUsd: asked.costMicroUsd === undefined ? 0 : asked.costMicroUsd,
    binding: bindingOf(bound),
    isForced: forced,
    choices,
    expiresAt: asked.kind === 'unknown' ? null : deadlineOf(parts),
  });
}

function deadlineOf({ approvalDeadlineMs, now }: BrokerParts): string | null {
  if (approvalDeadlineMs === undefined) return null;
  return new Date(now().getTime() + approvalDeadlineMs).toISOString();
}

/** The question that was opened for this intent before, as long as it is about the very same. */
export function standingQuestion(
  { intentId, binding, runId, kind }: Approval,
  { parts }: Where,
): Approval | undefined {
  return parts.approvals
    .of(runId)
    .findLast(
      (one) =>
        one.intentId === intentId &&
        (one.kind === kind || (one.kind === 'changed_file' && kind === 'tool')) &&
        one.binding === binding &&
        (one.status === 'pending' || one.status === 'answered'),
    );
}

/** Who answered where no person did: such an answer may stand since before an interruption. */
const APPROVE_MODE = 'approve_mode';
const REMEMBERED = 'remembered:';

async function byPerson(
  ask: Ask,
  question: Approval,
  intent: IntentRecord,
  where: Where,
): Promise<Settlement> {
  const { answer, id, status, answeredBy } = await askPerson(question, intent, where);
  if (answer === 'approve') {
    const isByPerson = answeredBy !== APPROVE_MODE && !answeredBy?.startsWith(REMEMBERED);
    return { approved: true, step: 6, rule: ask.rule, approvalId: id, isByPerson };
  }
  if (status === 'expired') {
    const sentence = `${ask.sentence} Nobody answered in time (CAPSTAN_APPROVAL_DEADLINE_SEC).`;
    return refusal(ask, sentence, 'expired');
  }
  return refusal(ask, `${ask.sentence} A person denied it.`);
}

const refusal = (
  { rule }: Ask,
  sentence: string,
  reason: Refusal['reason'] = 'denied',
): Refusal => ({ approved: false, step: 6, rule, reason, sentence: sentence.trim() });

function findRemembered(
  { operation, payee }: Asked,
  { requestHash, capsuleId, name, runId }: IntentRecord,
  { scope, parts }: Where,
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

interface Remembered {
  readonly intent: IntentRecord;
  readonly remembered: RememberedAnswer;
}

/** Where the last use was taken by another process meanwhile, a person is asked. */
async function byMemory(
  ask: Ask,
  question: Approval,
  { intent, remembered }: Remembered,
  where: Where,
): Promise<Settlement> {
  const { parts } = where;
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
  if (!isUsed) return byPerson(ask, question, intent, where);
  await tellAnswer(question, intent, { answer, by }, where);
  if (answer === 'deny')
    return refusal(ask, `${ask.sentence} A remembered answer (${id}) says no.`);
  return { approved: true, step: 6, rule: ask.rule, approvalId: question.id };
}

interface ByMode {
  readonly intent: IntentRecord;
  readonly settled: { readonly by: string; readonly isApproved: boolean; readonly why: string };
}

/** The answer's rows go with the next commit of the run: with `started`, before any effect. */
async function byMode(
  ask: Ask,
  question: Approval,
  { intent, settled }: ByMode,
  where: Where,
): Promise<Settlement> {
  const { parts } = where;
  const answer = settled.isApproved ? 'approve' : 'deny';
  const { by } = settled;
  parts.journal.saveSoon({ ...intent, status: 'waiting' }, () =>
    recordAnswer(question, { answer, by }, parts),
  );
  await tellAnswer(question, intent, { answer, by }, where);
  if (answer === 'deny') return refusal(ask, `${ask.sentence} ${settled.why}`);
  return { approved: true, step: 6, rule: ask.rule, approvalId: question.id };
}

interface Answer {
  readonly answer: 'approve' | 'deny';
  readonly by: string;
}

/** Question and answer as one row: nobody had to wait. */
function recordAnswer(question: Approval, answer: Answer, parts: BrokerParts): void {
  const { id: ref, runId, binding } = question;
  parts.approvals.insert(question);
  parts.approvals.decide(ref, { ...answer, binding });
  const detail = { ...answer, binding };
  parts.audit.append({ actor: 'policy', action: 'approval.answered', runId, ref, detail });
}

async function tellAnswer(
  asked: Approval,
  intent: IntentRecord,
  { answer, by }: Answer,
  where: Where,
): Promise<void> {
  const { id, kind, question } = asked;
  const { events } = where.parts;
  const about = { ...aboutIntent(intent), approval_id: id };
  events.emit({ type: 'approval.asked', ...about, kind, question });
  events.emit({ type: 'approval.decided', ...about, answer, by });
  await afterApproval({ ...asked, status: 'answered', answer, answeredBy: by }, where);
}
