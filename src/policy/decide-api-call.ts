import type { Decision, DenialReason } from './decision.ts';
import type { GateMode } from './tool-call-facts.ts';

/** All that a decision on one call of a model may look at. Money in micro-dollars. */
export interface ChatFacts {
  readonly provider: string;
  readonly model: string;
  /** Our own estimate; undefined where nobody knows the price. What the capsule claims is no fact. */
  readonly estimateMicroUsd: number | undefined;
  readonly gate: GateMode;
  /** The person set a budget, or has answered the run's spend question for this provider. */
  readonly hasConsent: boolean;
  /** Whether a known secret stands in the request. */
  readonly holdsSecret: boolean;
  readonly runSpentMicroUsd: number;
  readonly runBudgetMicroUsd: number;
  readonly daySpentMicroUsd: number;
  readonly dayBudgetMicroUsd: number;
  readonly runTokens: number;
  /** Undefined: no limit. */
  readonly runTokenBudget: number | undefined;
}

type Check = (facts: ChatFacts) => Decision | undefined;

/** First match wins. A call that costs nothing (offline, loopback) spends nothing, so no gate and no budget of money stands before it. */
const checks: readonly Check[] = [
  secretInRequest,
  tokensSpent,
  freeCall,
  gateDenies,
  runBudgetSpent,
  dayBudgetSpent,
  gateAsks,
  gateAllows,
  consentGiven,
];

/** Decides one call of a model; where nothing speaks for it, the run's one spend question is asked. */
export function decideApiCall(facts: ChatFacts): Decision {
  for (const check of checks) {
    const decision = check(facts);
    if (decision) return decision;
  }
  return askToSpend(facts, 5, 'spend');
}

function secretInRequest({ holdsSecret, provider }: ChatFacts): Decision | undefined {
  return holdsSecret
    ? deny('secret_in_request', `It would send a secret of the person to ${provider}.`)
    : undefined;
}

function tokensSpent({ runTokens, runTokenBudget }: ChatFacts): Decision | undefined {
  if (runTokenBudget === undefined || runTokens < runTokenBudget) return undefined;
  const sentence = `${runTokens} of ${runTokenBudget} tokens are used (CAPSTAN_BUDGET_RUN_TOKENS).`;
  return deny('token_budget', sentence, 'budget');
}

function freeCall({ estimateMicroUsd, provider }: ChatFacts): Decision | undefined {
  if (estimateMicroUsd !== 0) return undefined;
  return {
    kind: 'allow',
    step: 5,
    rule: 'free_call',
    sentence: `A call of ${provider} costs nothing.`,
  };
}

function gateDenies({ gate }: ChatFacts): Decision | undefined {
  return gate === 'deny' ? deny('gate_deny', 'CAPSTAN_SPEND_GATE is set to deny.') : undefined;
}

function runBudgetSpent(facts: ChatFacts): Decision | undefined {
  const { runSpentMicroUsd: spent, runBudgetMicroUsd: budget } = facts;
  return passes(spent, facts, budget)
    ? deny(
        'run_budget',
        budgetSentence('this run', spent, facts, 'CAPSTAN_BUDGET_RUN_USD'),
        'budget',
      )
    : undefined;
}

function dayBudgetSpent(facts: ChatFacts): Decision | undefined {
  const { daySpentMicroUsd: spent, dayBudgetMicroUsd: budget } = facts;
  return passes(spent, facts, budget)
    ? deny('day_budget', budgetSentence('today', spent, facts, 'CAPSTAN_BUDGET_DAY_USD'), 'budget')
    : undefined;
}

/** A call of unknown price is stopped once the budget is used up: it can't be told what it would add. */
const passes = (spent: number, { estimateMicroUsd }: ChatFacts, budget: number): boolean =>
  estimateMicroUsd === undefined ? spent >= budget : spent + estimateMicroUsd > budget;

function budgetSentence(
  what: string,
  spent: number,
  { estimateMicroUsd, runBudgetMicroUsd, dayBudgetMicroUsd }: ChatFacts,
  setting: string,
): string {
  const budget = setting.includes('RUN') ? runBudgetMicroUsd : dayBudgetMicroUsd;
  const adds = estimateMicroUsd === undefined ? 'an unknown sum' : dollars(estimateMicroUsd);
  return `${dollars(spent)} of the ${dollars(budget)} for ${what} are spent or reserved, and this call would add up to ${adds} (${setting}).`;
}

function gateAsks(facts: ChatFacts): Decision | undefined {
  return facts.gate === 'ask' && !facts.hasConsent ? askToSpend(facts, 4, 'gate_ask') : undefined;
}

function gateAllows({ gate }: ChatFacts): Decision | undefined {
  if (gate !== 'allow') return undefined;
  return {
    kind: 'allow',
    step: 4,
    rule: 'gate_allow',
    sentence: 'CAPSTAN_SPEND_GATE is set to allow.',
  };
}

function consentGiven({ hasConsent }: ChatFacts): Decision | undefined {
  if (!hasConsent) return undefined;
  const sentence = 'The person agreed to spend, up to the budget.';
  return { kind: 'allow', step: 5, rule: 'consent', sentence };
}

function askToSpend(facts: ChatFacts, step: 4 | 5, rule: string): Decision {
  const { provider, model, runBudgetMicroUsd, estimateMicroUsd } = facts;
  const price =
    estimateMicroUsd === undefined
      ? 'its price is not known'
      : `this call: up to ${dollars(estimateMicroUsd)}`;
  const question = `Spend up to ${dollars(runBudgetMicroUsd)} on ${provider} (${model}) in this run? What capsules read of your files will be sent there; ${price}.`;
  const sentence = `Calls of ${provider} cost money, and nobody has agreed to that yet (--budget-usd does).`;
  return { kind: 'ask', step, rule, question, sentence, forced: false };
}

const dollars = (microUsd: number): string =>
  `$${(microUsd / 1_000_000).toFixed(microUsd !== 0 && Math.abs(microUsd) < 10_000 ? 4 : 2)}`;

function deny(rule: string, sentence: string, reason: DenialReason = 'denied'): Decision {
  return { kind: 'deny', step: 1, rule, reason, sentence };
}
