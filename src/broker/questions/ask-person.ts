import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { aboutIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { afterApproval } from './approval-hooks.ts';

/**
 * Puts a question to whoever can answer it, and waits: outside every deadline but the question's own. The row is there,
 * with the intent's, before anybody is asked, so that the answer outlives this process.
 *
 * @returns The row once it is answered or expired.
 * @throws AppError `CANCELLED` where the attempt ended first: the question stands.
 */
export async function askPerson(
  question: Approval,
  intent: IntentRecord,
  where: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<Approval> {
  const { scope, parts } = where;
  parts.desk.expireOverdue();
  const standing = parts.approvals.find(question.id);
  if (standing && standing.status !== 'pending') return standing;
  if (!standing) open(question, intent, parts);
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
  await afterApproval(decided, where);
  return decided;
}

function open(question: Approval, intent: IntentRecord, parts: BrokerParts): void {
  const { id: ref, kind, binding, expiresAt, runId } = question;
  const detail = { kind, binding, expiresAt, intent: intent.id };
  parts.journal.save({ ...intent, status: 'waiting' }, () => {
    parts.approvals.insert(question);
    parts.audit.append({ actor: 'policy', action: 'approval.asked', runId, ref, detail });
  });
}
