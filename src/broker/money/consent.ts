import type { Approval } from '../../contract/approval.ts';
import type { Ask, Permission, Refusal } from '../../policy/decide/decision.ts';
import { dollars, type LimitRule, limitsOf, raiseOf } from '../../policy/limits/spend-limits.ts';
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

/**
 * Asks for a raise, and records it. One question at a time for each limit of a run: other calls wait for its answer, and a
 * denial holds for the run.
 *
 * @returns The refusal; undefined if the call may fit now.
 * @throws AppError `CANCELLED`.
 */
export async function raiseBudget(payment: Payment, decision: Ask): Promise<Refusal | undefined> {
  const { scope } = payment;
  const isOfCapsule = decision.rule.startsWith('capsule');
  const key = `raise:${decision.rule}${isOfCapsule ? `:${scope.capsuleId}` : ''}`;
  const permission = await shareQuestion(scope, key, async () => {
    const answered = await askAndRecord(payment, decision);
    // A later call that needs more asks again.
    if (answered.approved) scope.run.spendConsents.delete(key);
    return answered;
  });
  return permission.approved ? undefined : permission;
}

async function askAndRecord(payment: Payment, decision: Ask): Promise<Permission> {
  const { intent, scope, parts, bound, quote } = payment;
  const rule = decision.rule as LimitRule;
  const used = parts.budget.used(intent, scope.run.policy);
  const facts = { ...used, estimateMicroUsd: bound.microUsd };
  const limit = limitsOf(facts).find((one) => one.rule === rule);
  if (!limit) return { approved: true, step: 2, rule };
  const missing = raiseOf(limit, facts);
  const subject = {
    kind: 'raise',
    costMicroUsd: missing,
    details: [
      `limit: ${dollars(limit.budget)} for ${limit.what} (${limit.setting})`,
      `spent or reserved: ${dollars(limit.spent)}`,
      `this call: up to ${dollars(bound.microUsd)}, by ${quote.source} of ${quote.date}`,
      `after the raise: ${dollars(limit.budget + missing)}`,
    ].join('\n'),
  } as const;
  const permission = await ask(decision, subject, intent, { scope, parts });
  if (!permission.approved) {
    return permission.reason === 'expired' ? permission : { ...permission, reason: 'budget' };
  }
  const { approvalId = null } = permission;
  const answered = approvalId === null ? undefined : parts.approvals.find(approvalId);
  // The agreed sum: the question may be older than today's shortfall.
  const microUsd = answered?.costMicroUsd ?? missing;
  parts.journal.commit(() => {
    const ref = parts.budget.raise(rule, intent, microUsd, approvalId);
    if (approvalId !== null) parts.approvals.consume(approvalId);
    const detail = { rule, microUsd, approval: approvalId, capsule: intent.capsuleId };
    const { runId } = intent;
    parts.audit.append({ actor: 'policy', action: 'budget.raised', runId, ref, detail });
  });
  return permission;
}
