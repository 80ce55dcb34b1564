import type { Decision } from '../policy/decision.ts';
import { type Ask, settleAsk } from '../policy/settle-ask.ts';
import type { Approval, Question } from './approvals.ts';
import type { IntentRecord } from './journal.ts';
import { aboutIntent } from './open-intent.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';
import type { Settlement } from './settlement.ts';

export interface Asked {
  readonly kind: Approval['kind'];
  /** All that will be done, in full. */
  readonly details: string;
}

/** Turns a decision into a yes or a no: an ask is answered by the approve mode, else by a person, else it is a no. */
export async function settle(
  decision: Decision,
  intent: IntentRecord,
  asked: Asked,
  where: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<Settlement> {
  if (decision.kind === 'allow') return { approved: true, rule: decision.rule };
  if (decision.kind === 'deny') {
    const { rule, reason, sentence } = decision;
    return { approved: false, rule, reason, sentence };
  }
  const { scope, parts } = where;
  const approvalId = openApproval(parts, intent, asked, decision.question);
  const answer = await answerOf(decision, intent, { ...asked, approvalId }, { scope, parts });
  parts.journal.commit(() => parts.approvals.decide(approvalId, answer.answer, answer.by));
  parts.events.emit({
    type: 'approval.decided',
    ...aboutIntent(intent),
    approval_id: approvalId,
    answer: answer.answer,
    by: answer.by,
  });
  if (answer.answer === 'approve') return { approved: true, rule: decision.rule, approvalId };
  const sentence = `${decision.sentence} ${answer.why}`.trim();
  return { approved: false, rule: decision.rule, reason: 'denied', sentence };
}

function openApproval(
  parts: BrokerParts,
  intent: IntentRecord,
  { kind }: Asked,
  question: string,
): string {
  let approvalId = '';
  parts.journal.save({ ...intent, status: 'waiting' }, () => {
    const { runId, id: intentId, requestHash } = intent;
    approvalId = parts.approvals.open({ runId, intentId, kind, question, requestHash });
  });
  parts.events.emit({
    type: 'approval.asked',
    ...aboutIntent(intent),
    approval_id: approvalId,
    kind,
    question,
  });
  return approvalId;
}

interface Answer {
  readonly answer: 'approve' | 'deny';
  readonly by: string;
  readonly why: string;
}

async function answerOf(
  ask: Ask,
  intent: IntentRecord,
  asked: Asked & { readonly approvalId: string },
  { scope, parts }: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<Answer> {
  const { approver, approveMode } = parts;
  const settled = settleAsk(ask, { approveMode, isSomebodyThere: approver !== undefined });
  if (settled.by !== 'person')
    return { ...settled, answer: settled.isApproved ? 'approve' : 'deny' };
  const question: Question = {
    id: asked.approvalId,
    kind: asked.kind,
    capsuleId: intent.capsuleId,
    question: ask.question,
    why: ask.sentence,
    details: asked.details,
    capsuleReason: intent.reason,
  };
  const given = await scope.pause(async () => approver?.ask(question, scope.signal));
  if (!given) return { answer: 'deny', by: 'nobody', why: 'Nobody answered.' };
  return { ...given, why: given.answer === 'deny' ? 'A person denied it.' : '' };
}
