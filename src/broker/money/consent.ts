import type { Approval } from '../../contract/approval.ts';
import type { Permission } from '../../policy/decide/decision.ts';
import type { Ask } from '../../policy/decide/settle-ask.ts';
import { ask, askPerson } from '../questions/ask.ts';
import type { QuestionSubject } from '../questions/question.ts';
import { shareQuestion } from '../questions/shared-question.ts';
import type { Payment } from './payment.ts';

/** Rules whose question is asked once a run. Rules files and hooks ask for each call. */
const askedOncePerRun: ReadonlySet<string> = new Set(['spend', 'gate_ask', 'price_unknown']);

/**
 * Whether somebody agreed to spend: by setting the budget, or by an answer in this run about this provider. If the price is
 * unknown, only an answer about this model counts, because its question says so.
 */
export function hasConsent(payment: Payment): boolean {
  if (payment.quote.basis !== 'highest' && payment.scope.run.policy.budget.runMicroUsdSetByPerson)
    return true;
  return spendRows(payment).some(
    ({ status, answer }) => status === 'answered' && answer === 'approve',
  );
}

/** The run's questions about this payee. */
function spendRows({ intent, parts, payee, quote }: Payment): readonly Approval[] {
  const isAbout = ({ target }: Approval) =>
    quote.basis === 'highest' ? target === intent.target : target.startsWith(`${payee.name}/`);
  return parts.approvals.of(intent.runId).filter((one) => one.kind === 'spend' && isAbout(one));
}

/**
 * Asks whether money may be spent, once per run and provider. Other calls wait for the same answer.
 *
 * @throws AppError `CANCELLED`.
 */
export async function askToSpend(payment: Payment, decision: Ask): Promise<Permission> {
  const { intent, scope, parts, payee } = payment;
  if (!askedOncePerRun.has(decision.rule)) {
    const kind = decision.rule === 'hook_ask' ? 'hook' : 'tool';
    const isAdopted = intent.status === 'waiting';
    const costMicroUsd = payment.bound.microUsd;
    const details = payment.describe();
    const isOptional = payment.isOptional === true;
    const subject: QuestionSubject = { kind, details, costMicroUsd, isAdopted, isOptional };
    return ask(decision, subject, intent, { scope, parts });
  }
  const subject = payment.quote.basis === 'highest' ? intent.target : payee.name;
  return shareQuestion(scope, `spend:${subject}`, () => askOnce(payment, decision));
}

/** A question that was asked before the run was resumed is continued. */
async function askOnce(payment: Payment, decision: Ask): Promise<Permission> {
  const { intent, scope, parts } = payment;
  const earlier = spendRows(payment).find(
    ({ status, intentId }) =>
      (status === 'pending' || status === 'answered') && intentId !== intent.id,
  );
  if (!earlier) {
    const subject = {
      kind: 'spend',
      details: payment.describe(),
      costMicroUsd: payment.bound.microUsd,
      isAdopted: intent.status === 'waiting',
      isOptional: payment.isOptional === true,
      ...(payment.quote.basis === 'highest' ? {} : { payee: payment.payee.name }),
    } as const;
    return ask(decision, subject, intent, { scope, parts });
  }
  const { answer, id, status } = await askPerson(earlier, intent, { scope, parts });
  if (answer === 'approve')
    return { approved: true, step: 6, rule: decision.rule, approvalId: id, isByPerson: true };
  const reason = status === 'expired' ? 'expired' : 'denied';
  const sentence = `${decision.sentence} A person ${reason === 'expired' ? 'did not answer in time' : 'denied it'}.`;
  return { approved: false, step: 6, rule: decision.rule, reason, sentence };
}
