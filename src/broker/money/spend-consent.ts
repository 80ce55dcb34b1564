import type { Approval } from '../../contract/approval.ts';
import type { Ask } from '../../policy/settle-ask.ts';
import { askPerson } from '../questions/ask-person.ts';
import { type Asked, settle } from '../questions/settle.ts';
import type { Settlement } from '../questions/settlement.ts';
import { shareQuestion } from '../questions/shared-question.ts';
import type { PaidCall } from './paid-call.ts';

/** Rules whose question is asked once a run; what a rules file or a hook asks is asked for each call. */
const onceARun: ReadonlySet<string> = new Set(['spend', 'gate_ask', 'price_unknown']);

/**
 * Whether somebody agreed to spend: by setting the budget, or by an answer of this run about this provider. Where nobody
 * knows the price, only an answer about this very model counts, since its question said so.
 */
export function hasConsent(call: PaidCall): boolean {
  if (call.quote.basis !== 'dearest' && call.scope.run.policy.budget.runMicroUsdSetByPerson)
    return true;
  return spendRows(call).some(
    ({ status, answer }) => status === 'answered' && answer === 'approve',
  );
}

/** The run's questions about this money. */
function spendRows({ intent, parts, payee, quote }: PaidCall): readonly Approval[] {
  const isAbout = ({ target }: Approval) =>
    quote.basis === 'dearest' ? target === intent.target : target.startsWith(`${payee.name}/`);
  return parts.approvals.of(intent.runId).filter((one) => one.kind === 'spend' && isAbout(one));
}

/**
 * Asks whether money may be spent: once a run and provider, and whoever comes meanwhile waits for the same answer.
 *
 * @throws AppError `CANCELLED`.
 */
export async function askToSpend(call: PaidCall, ask: Ask): Promise<Settlement> {
  const { intent, scope, parts, payee } = call;
  if (!onceARun.has(ask.rule)) {
    const kind = ask.rule === 'hook_ask' ? 'hook' : 'tool';
    const isAdopted = intent.status === 'waiting';
    const costMicroUsd = call.bound.microUsd;
    const asked: Asked = { kind, details: call.describe(), costMicroUsd, isAdopted };
    return settle(ask, intent, asked, { scope, parts });
  }
  const subject = call.quote.basis === 'dearest' ? intent.target : payee.name;
  return shareQuestion(scope, `spend:${subject}`, () => settleOnce(call, ask));
}

/** A question that an earlier life of the run asked goes on; an answer that it got counts. */
async function settleOnce(call: PaidCall, ask: Ask): Promise<Settlement> {
  const { intent, scope, parts } = call;
  const earlier = spendRows(call).find(
    ({ status, intentId }) =>
      (status === 'pending' || status === 'answered') && intentId !== intent.id,
  );
  if (!earlier) {
    const asked = {
      kind: 'spend',
      details: call.describe(),
      costMicroUsd: call.bound.microUsd,
      isAdopted: intent.status === 'waiting',
      ...(call.quote.basis === 'dearest' ? {} : { payee: call.payee.name }),
    } as const;
    return settle(ask, intent, asked, { scope, parts });
  }
  const { answer, id, status } = await askPerson(earlier, intent, { scope, parts });
  if (answer === 'approve')
    return { approved: true, step: 6, rule: ask.rule, approvalId: id, isByPerson: true };
  const reason = status === 'expired' ? 'expired' : 'denied';
  const sentence = `${ask.sentence} A person ${reason === 'expired' ? 'did not answer in time' : 'denied it'}.`;
  return { approved: false, step: 6, rule: ask.rule, reason, sentence };
}
