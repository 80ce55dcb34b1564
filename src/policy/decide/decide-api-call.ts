import { hookSentence, sharedChecks } from '../limits/denials.ts';
import {
  dollars,
  passedLimit,
  passesTokens,
  raiseOf,
  type SpendLimit,
} from '../limits/spend-limits.ts';
import { decideByRules } from '../rules/rule.ts';
import { ruleCallOfChat } from '../rules/rule-call.ts';
import type { ChatFacts } from './chat-facts.ts';
import { allow, byStricterRules, type Check, type Decision, firstDenial } from './decision.ts';

/** Decides one model call. If nothing allows it, the run's one spend question is asked. */
export const decideApiCall = (facts: ChatFacts): Decision => byStricterRules(facts, decideBy);

/** The first match wins. */
const decideBy = (facts: ChatFacts): Decision =>
  firstDenial(denials, facts) ??
  budgetSpent(facts) ??
  hookAsks(facts) ??
  byRules(facts) ??
  byConsent(facts);

const denials: readonly Check<[ChatFacts]>[] = [
  [
    'secret_in_request',
    ({ holdsSecret, provider }) =>
      holdsSecret && `It would send a secret of the user to ${provider}.`,
  ],
  ...sharedChecks,
  ['token_budget', tokensSpent, 'budget'],
  [
    'gate_deny',
    ({ gate, estimateMicroUsd }) =>
      gate === 'deny' && estimateMicroUsd !== 0 && 'CAPSTAN_SPEND_GATE is set to deny.',
  ],
];

function tokensSpent(facts: ChatFacts): string | false {
  const { runTokens, runTokenBudget, estimateTokens = 0 } = facts;
  const adds = estimateTokens > 0 ? `, and this call may use up to ${estimateTokens}` : '';
  return (
    passesTokens(facts) &&
    `${runTokens} of ${runTokenBudget} tokens are used or reserved${adds} (CAPSTAN_BUDGET_RUN_TOKENS).`
  );
}

/** Step 1, or step 2 if the budget can be raised. */
function budgetSpent(facts: ChatFacts): Decision | undefined {
  const limit = passedLimit(facts);
  if (limit === undefined) return undefined;
  const { rule, what, budget } = limit;
  const sentence = budgetSentence(limit, facts);
  if (!facts.mayRaise) return { kind: 'deny', step: 1, rule, reason: 'budget', sentence };
  const raised = dollars(budget + raiseOf(limit, facts));
  const question = `Allow raising the budget for ${what} from ${dollars(budget)} to ${raised}, so that ${facts.provider} (${facts.model}) can be asked?`;
  return { kind: 'ask', step: 2, rule, question, sentence, forced: true };
}

function budgetSentence({ what, spent, budget, setting }: SpendLimit, facts: ChatFacts): string {
  const { estimateMicroUsd, isPriceKnown = true } = facts;
  const adds = estimateMicroUsd === undefined ? 'an unknown sum' : dollars(estimateMicroUsd);
  const sentence = `${dollars(spent)} of the ${dollars(budget)} for ${what} are spent or reserved, and this call would add up to ${adds} (${setting}).`;
  return isPriceKnown ? sentence : `${sentence} ${unknownPrice(facts)}`;
}

/** Step 2: only a person answers it. */
function hookAsks(facts: ChatFacts): Decision | undefined {
  if (facts.hook?.answer !== 'ask') return undefined;
  const about = { question: spendQuestion(facts), sentence: hookSentence(facts.hook) };
  return { kind: 'ask', step: 2, rule: 'hook_ask', ...about, forced: true };
}

/** Step 3: a free call may be denied, or asked about, too. */
function byRules(facts: ChatFacts): Decision | undefined {
  const { rules, capsuleId = '', origin, estimateMicroUsd: costMicroUsd } = facts;
  return decideByRules(
    rules,
    () => ruleCallOfChat({ capsuleId, origin, costMicroUsd }),
    () => spendQuestion(facts),
  );
}

/** A call that costs nothing (offline, loopback) spends nothing, so no gate and no consent applies to it. */
function byConsent(facts: ChatFacts): Decision {
  const { estimateMicroUsd, provider, gate, hasConsent } = facts;
  if (estimateMicroUsd === 0) return allow(5, 'free_call', `A call of ${provider} costs nothing.`);
  if (gate === 'allow') return allow(4, 'gate_allow', 'CAPSTAN_SPEND_GATE is set to allow.');
  if (hasConsent) return allow(5, 'consent', 'The person agreed to spend, up to the budget.');
  return gate === 'ask' ? askToSpend(facts, 4, 'gate_ask') : askToSpend(facts, 5, 'spend');
}

function askToSpend(facts: ChatFacts, step: 4 | 5, rule: string): Decision {
  const question = spendQuestion(facts);
  const ask = { kind: 'ask', step, question, forced: false } as const;
  if (facts.isPriceKnown === false) {
    return { ...ask, rule: 'price_unknown', sentence: unknownPrice(facts) };
  }
  const sentence = `Calls of ${facts.provider} cost money, and nobody has agreed to that yet (setting CAPSTAN_BUDGET_RUN_USD agrees).`;
  return { ...ask, rule, sentence };
}

function unknownPrice({ model, priceAdvice }: ChatFacts): string {
  const advice = priceAdvice ?? 'You can set the price in prices.yaml';
  return `The price of ${model} is unknown, so the highest price of its provider is assumed. ${advice}.`;
}

function spendQuestion(facts: ChatFacts): string {
  const { provider, model, runBudgetMicroUsd, estimateMicroUsd } = facts;
  if (estimateMicroUsd === 0)
    return `Allow this run to ask ${provider} (${model})? It costs nothing.`;
  const most =
    estimateMicroUsd === undefined
      ? 'its price is not known'
      : `this call: up to ${dollars(estimateMicroUsd)}`;
  const price = facts.isPriceKnown === false ? `its price is not known; ${most}` : most;
  return `Allow this run to spend up to ${dollars(runBudgetMicroUsd)} at ${provider} (${model})? Text of your files is sent there; ${price}.`;
}
