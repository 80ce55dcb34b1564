import type { Ask } from '../policy/settle-ask.ts';
import { dollars } from '../policy/spend-limits.ts';
import type { Approval } from './approvals.ts';
import { askPerson } from './ask-person.ts';
import type { ChatCall } from './chat-call.ts';
import { type Asked, settle } from './settle.ts';
import type { Settlement } from './settlement.ts';
import { shareQuestion } from './shared-question.ts';

/** Rules whose question is asked once a run; what a rules file or a hook asks is asked for each call. */
const onceARun: ReadonlySet<string> = new Set(['spend', 'gate_ask', 'price_unknown']);

/**
 * Whether somebody agreed to spend: by setting the budget, or by an answer of this run about this provider. Where nobody
 * knows the price, only an answer about this very model counts, since its question said so.
 */
export function hasConsent(call: ChatCall): boolean {
  if (call.quote.basis !== 'dearest' && call.scope.run.policy.budget.runMicroUsdSetByPerson)
    return true;
  return spendRows(call).some(
    ({ status, answer }) => status === 'answered' && answer === 'approve',
  );
}

/** The run's questions about this money. */
function spendRows({ intent, parts, quote }: ChatCall): readonly Approval[] {
  const isAbout = ({ target }: Approval) =>
    quote.basis === 'dearest'
      ? target === intent.target
      : target.startsWith(`${parts.provider.name}/`);
  return parts.approvals.of(intent.runId).filter((one) => one.kind === 'spend' && isAbout(one));
}

/**
 * Asks whether money may be spent: once a run and provider, and whoever comes meanwhile waits for the same answer.
 *
 * @throws AppError `CANCELLED`.
 */
export async function askToSpend(call: ChatCall, ask: Ask): Promise<Settlement> {
  const { intent, scope, parts } = call;
  if (!onceARun.has(ask.rule)) {
    const kind = ask.rule === 'hook_ask' ? 'hook' : 'tool';
    const isAdopted = intent.status === 'waiting';
    const costMicroUsd = call.bound.microUsd;
    const asked: Asked = { kind, details: describe(call), costMicroUsd, isAdopted };
    return settle(ask, intent, asked, { scope, parts });
  }
  const subject = call.quote.basis === 'dearest' ? intent.target : parts.provider.name;
  return shareQuestion(scope, `spend:${subject}`, () => settleOnce(call, ask));
}

/** A question that an earlier life of the run asked goes on; an answer that it got counts. */
async function settleOnce(call: ChatCall, ask: Ask): Promise<Settlement> {
  const { intent, scope, parts } = call;
  const earlier = spendRows(call).find(
    ({ status, intentId }) =>
      (status === 'pending' || status === 'answered') && intentId !== intent.id,
  );
  if (!earlier) {
    const asked = {
      kind: 'spend',
      details: describe(call),
      costMicroUsd: call.bound.microUsd,
      isAdopted: intent.status === 'waiting',
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

/** What the question says: which models, at which price, up to which cap, and what is sent there. */
function describe({ parts, scope, quote, bound, intent, model }: ChatCall): string {
  const { provider, budget } = parts;
  const models = new Set(
    (['fast', 'balanced', 'best'] as const).map((hint) => provider.modelFor(hint)),
  );
  const { price, source, date } = quote;
  const rates = `${dollars(price.inputPerMillionMicroUsd)} in, ${dollars(price.outputPerMillionMicroUsd)} out, for a million tokens`;
  const { runBudgetMicroUsd } = budget.standing(intent, scope.run.policy);
  return [
    `provider: ${provider.name} (${provider.origin ?? 'local'})`,
    `models: ${[...models].join(', ')}`,
    quote.basis === 'dearest'
      ? `price of ${model}: not known; it counts at ${source} of ${date}: ${rates}`
      : `price of ${model}: ${rates} (${source}, ${date})`,
    `this call: up to ${dollars(bound.microUsd)}`,
    `cap for this run: ${dollars(runBudgetMicroUsd)} (CAPSTAN_BUDGET_RUN_USD, --budget-usd)`,
    'The task, and what capsules read of the files of the workspace, will be sent there.',
  ].join('\n');
}
