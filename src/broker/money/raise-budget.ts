import type { Ask } from '../../policy/settle-ask.ts';
import { dollars, type LimitRule, limitsOf, raiseOf } from '../../policy/spend-limits.ts';
import { settle } from '../questions/settle.ts';
import type { Refusal, Settlement } from '../questions/settlement.ts';
import { shareQuestion } from '../questions/shared-question.ts';
import type { PaidCall } from './paid-call.ts';

const rules: ReadonlySet<string> = new Set<LimitRule>([
  'run_budget',
  'day_budget',
  'capsule_run_budget',
  'capsule_day_budget',
]);

/** Whether a question is about a raise. */
export const asksForRaise = ({ rule, forced }: Ask): boolean => forced && rules.has(rule);

/**
 * Asks for a raise, and records it. One question at a time for each limit of a run: whoever comes meanwhile waits for
 * its answer, and a no holds for the run.
 *
 * @returns Why not; undefined where there may now be room.
 * @throws AppError `CANCELLED`.
 */
export async function raiseBudget(call: PaidCall, ask: Ask): Promise<Refusal | undefined> {
  const isOfCapsule = ask.rule.startsWith('capsule');
  const key = `raise:${ask.rule}${isOfCapsule ? `:${call.scope.capsuleId}` : ''}`;
  const settlement = await shareQuestion(call.scope, key, async () => {
    const settled = await askAndRecord(call, ask);
    // Whoever needs more room later asks anew.
    if (settled.approved) call.scope.run.spendConsents.delete(key);
    return settled;
  });
  return settlement.approved ? undefined : settlement;
}

async function askAndRecord(call: PaidCall, ask: Ask): Promise<Settlement> {
  const { intent, scope, parts } = call;
  const rule = ask.rule as LimitRule;
  const standing = parts.budget.standing(intent, scope.run.policy);
  const facts = { ...standing, estimateMicroUsd: call.bound.microUsd };
  const limit = limitsOf(facts).find((one) => one.rule === rule);
  if (!limit) return { approved: true, step: 2, rule };
  const missing = raiseOf(limit, facts);
  const asked = {
    kind: 'raise',
    costMicroUsd: missing,
    details: [
      `limit: ${dollars(limit.budget)} for ${limit.what} (${limit.setting})`,
      `spent or reserved: ${dollars(limit.spent)}`,
      `this call: up to ${dollars(call.bound.microUsd)}, by ${call.quote.source} of ${call.quote.date}`,
      `after the raise: ${dollars(limit.budget + missing)}`,
    ].join('\n'),
    isAdopted: intent.status === 'waiting',
  } as const;
  const settlement = await settle(ask, intent, asked, { scope, parts });
  if (!settlement.approved) {
    return settlement.reason === 'expired' ? settlement : { ...settlement, reason: 'budget' };
  }
  const { approvalId = null } = settlement;
  const answered = approvalId === null ? undefined : parts.approvals.find(approvalId);
  // What was agreed to: the question may be older than what is missing today.
  const microUsd = answered?.costMicroUsd ?? missing;
  parts.journal.commit(() => {
    const ref = parts.budget.raise(rule, intent, { microUsd, approvalId });
    if (approvalId !== null) parts.approvals.consume(approvalId);
    const detail = { rule, microUsd, approval: approvalId, capsule: intent.capsuleId };
    const { runId } = intent;
    parts.audit.append({ actor: 'policy', action: 'budget.raised', runId, ref, detail });
  });
  return settlement;
}
