import type { Approval } from '../../contract/approval.ts';
import type { Ask, Permission } from '../../policy/decide/decision.ts';
import { ask, byPerson } from '../questions/ask.ts';
import type { QuestionSubject } from '../questions/question.ts';
import { shareQuestion } from '../questions/shared-question.ts';
import type { Payment } from './payment.ts';

/** Rules whose question is asked once a run. Rules files and hooks ask for each call. */
const askedOncePerRun: ReadonlySet<string> = new Set(['spend', 'gate_ask', 'price_unknown']);

/**
 * Whether someone agreed to spend: by setting the budget, or by an answer in this run about this provider. If the price is
 * unknown, only an answer about this model counts, because its question says so.
 */
export function hasConsent(payment: Payment): boolean {
  if (payment.quote.basis !== 'highest' && payment.scope.run.policy.budget.runMicroUsdSetByPerson)
    return true;
  return spendRows(payment).some(
    ({ status, answer }) => status === 'answered' && answer === 'approve',
  );
}

function spendRows({ intent, parts, payee, quote }: Payment): readonly Approval[] {
  const isAbout = ({ target }: Approval) =>
    quote.basis === 'highest' ? target === intent.target : target.startsWith(`${payee.name}/`);
  return parts.approvals.of(intent.runId).filter((one) => one.kind === 'spend' && isAbout(one));
}

/** Asks whether money may be spent, once per run and provider. Other calls wait for the same answer. Throws `CANCELLED`. */
export async function askToSpend(payment: Payment, decision: Ask): Promise<Permission> {
  const { intent, scope, parts, payee, quote, isOptional } = payment;
  const isOncePerRun = askedOncePerRun.has(decision.rule);
  const subject = (): QuestionSubject => ({
    kind: isOncePerRun ? 'spend' : decision.rule === 'hook_ask' ? 'hook' : 'tool',
    details: payment.describe(),
    costMicroUsd: payment.bound.microUsd,
    isOptional,
    payee: isOncePerRun && quote.basis !== 'highest' ? payee.name : undefined,
  });
  const askNew = () => ask(decision, subject(), intent, { scope, parts });
  if (!isOncePerRun) return askNew();
  const key = `spend:${quote.basis === 'highest' ? intent.target : payee.name}`;
  return shareQuestion(scope, key, () => askEarlier(payment, decision) ?? askNew());
}

/** Continues a question that was asked before the run was resumed; undefined if there is none. */
function askEarlier(payment: Payment, decision: Ask): Promise<Permission> | undefined {
  const { intent, scope, parts } = payment;
  const question = spendRows(payment).find(
    ({ status, intentId }) =>
      (status === 'pending' || status === 'answered') && intentId !== intent.id,
  );
  return question && byPerson({ decision, question, intent, context: { scope, parts } });
}
