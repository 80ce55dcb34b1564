import type { CapsuleBudget } from './capsule-budgets.ts';
import type { Decision, DenialReason } from './decision.ts';
import { breakerSentence, hookSentence, RULES_UNREADABLE } from './denials.ts';
import { decidingRule, type Rule, ruleSentence } from './rule.ts';
import { ruleCallOfChat } from './rule-call.ts';
import type { GateMode, HookAnswer, OpenBreaker } from './tool-call-facts.ts';

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
  readonly capsuleId?: string | undefined;
  /** Where the provider is asked; undefined where the model runs in this very process. */
  readonly origin?: string | undefined;
  /** What this capsule may spend by a rules file, and has spent. Default: no limit of its own. */
  readonly capsule?:
    | {
        readonly budget: CapsuleBudget;
        readonly runSpentMicroUsd: number;
        readonly daySpentMicroUsd: number;
      }
    | undefined;
  /** Whether a call that would pass a budget asks for a raise of it. Default: it is denied. */
  readonly mayRaise?: boolean | undefined;
  readonly rules?: readonly Rule[] | 'unreadable' | undefined;
  /** Undefined: nothing rests. */
  readonly breaker?: OpenBreaker | undefined;
  /** Undefined: no hook has anything against it. */
  readonly hook?: HookAnswer | undefined;
}

type Check = (facts: ChatFacts) => Decision | undefined;

/** First match wins. A call that costs nothing (offline, loopback) spends nothing, so no gate and no budget of money stands before it. */
const checks: readonly Check[] = [
  secretInRequest,
  rulesUnreadable,
  hookDenies,
  breakerOpen,
  tokensSpent,
  gateDenies,
  budgetSpent,
  hookAsks,
  byRules,
  freeCall,
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

function rulesUnreadable({ rules }: ChatFacts): Decision | undefined {
  return rules === 'unreadable' ? deny('rules_unreadable', RULES_UNREADABLE) : undefined;
}

function hookDenies({ hook }: ChatFacts): Decision | undefined {
  return hook?.answer === 'deny' ? deny('hook_deny', hookSentence(hook)) : undefined;
}

function breakerOpen({ breaker }: ChatFacts): Decision | undefined {
  return breaker && deny('breaker_open', breakerSentence(breaker), 'provider');
}

function tokensSpent({ runTokens, runTokenBudget }: ChatFacts): Decision | undefined {
  if (runTokenBudget === undefined || runTokens < runTokenBudget) return undefined;
  const sentence = `${runTokens} of ${runTokenBudget} tokens are used (CAPSTAN_BUDGET_RUN_TOKENS).`;
  return deny('token_budget', sentence, 'budget');
}

function gateDenies({ gate, estimateMicroUsd }: ChatFacts): Decision | undefined {
  return gate === 'deny' && estimateMicroUsd !== 0
    ? deny('gate_deny', 'CAPSTAN_SPEND_GATE is set to deny.')
    : undefined;
}

interface Limit {
  readonly rule: string;
  readonly what: string;
  readonly setting: string;
  readonly spent: number;
  readonly budget: number | undefined;
}

const limitsOf = (facts: ChatFacts): readonly Limit[] => [
  {
    rule: 'run_budget',
    what: 'this run',
    setting: 'CAPSTAN_BUDGET_RUN_USD',
    spent: facts.runSpentMicroUsd,
    budget: facts.runBudgetMicroUsd,
  },
  {
    rule: 'day_budget',
    what: 'today',
    setting: 'CAPSTAN_BUDGET_DAY_USD',
    spent: facts.daySpentMicroUsd,
    budget: facts.dayBudgetMicroUsd,
  },
  {
    rule: 'capsule_run_budget',
    what: 'this capsule in this run',
    setting: 'budgets.capsules of a rules file',
    spent: facts.capsule?.runSpentMicroUsd ?? 0,
    budget: facts.capsule?.budget.runMicroUsd,
  },
  {
    rule: 'capsule_day_budget',
    what: 'this capsule today',
    setting: 'budgets.capsules of a rules file',
    spent: facts.capsule?.daySpentMicroUsd ?? 0,
    budget: facts.capsule?.budget.dayMicroUsd,
  },
];

/** Step 1, or 2 where somebody may raise the budget. */
function budgetSpent(facts: ChatFacts): Decision | undefined {
  if (facts.estimateMicroUsd === 0) return undefined;
  const limit = limitsOf(facts).find(
    ({ spent, budget }) => budget !== undefined && passes(spent, facts, budget),
  );
  if (limit === undefined) return undefined;
  const { rule, what, budget = 0 } = limit;
  const sentence = budgetSentence(limit, facts);
  if (!facts.mayRaise) return deny(rule, sentence, 'budget');
  const question = `Raise the budget of ${dollars(budget)} for ${what}, so that ${facts.provider} (${facts.model}) can be asked?`;
  return { kind: 'ask', step: 2, rule, question, sentence, forced: true };
}

/** A call of unknown price is stopped once the budget is used up: it can't be told what it would add. */
const passes = (spent: number, { estimateMicroUsd }: ChatFacts, budget: number): boolean =>
  estimateMicroUsd === undefined ? spent >= budget : spent + estimateMicroUsd > budget;

function budgetSentence(
  { what, spent, budget = 0, setting }: Limit,
  { estimateMicroUsd }: ChatFacts,
): string {
  const adds = estimateMicroUsd === undefined ? 'an unknown sum' : dollars(estimateMicroUsd);
  return `${dollars(spent)} of the ${dollars(budget)} for ${what} are spent or reserved, and this call would add up to ${adds} (${setting}).`;
}

/** Step 2: only a person answers it. */
function hookAsks(facts: ChatFacts): Decision | undefined {
  if (facts.hook?.answer !== 'ask') return undefined;
  const sentence = hookSentence(facts.hook);
  return {
    kind: 'ask',
    step: 2,
    rule: 'hook_ask',
    question: spendQuestion(facts),
    sentence,
    forced: true,
  };
}

/** Step 3: also what costs nothing may be denied, or asked about. */
function byRules(facts: ChatFacts): Decision | undefined {
  const { rules = [], capsuleId = '', origin, estimateMicroUsd: costMicroUsd } = facts;
  if (rules === 'unreadable' || rules.length === 0) return undefined;
  const rule = decidingRule(rules, ruleCallOfChat({ capsuleId, origin, costMicroUsd }));
  if (rule === undefined) return undefined;
  const about = { step: 3, rule: rule.id, sentence: ruleSentence(rule) } as const;
  if (rule.answer === 'deny') return { kind: 'deny', ...about, reason: 'denied' };
  if (rule.answer === 'allow') return { kind: 'allow', ...about };
  return { kind: 'ask', ...about, question: spendQuestion(facts), forced: false };
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
  const sentence = `Calls of ${facts.provider} cost money, and nobody has agreed to that yet (--budget-usd does).`;
  return { kind: 'ask', step, rule, question: spendQuestion(facts), sentence, forced: false };
}

function spendQuestion(facts: ChatFacts): string {
  const { provider, model, runBudgetMicroUsd, estimateMicroUsd } = facts;
  if (estimateMicroUsd === 0) return `Ask ${provider} (${model})? It costs nothing.`;
  const price =
    estimateMicroUsd === undefined
      ? 'its price is not known'
      : `this call: up to ${dollars(estimateMicroUsd)}`;
  return `Spend up to ${dollars(runBudgetMicroUsd)} on ${provider} (${model}) in this run? What capsules read of your files will be sent there; ${price}.`;
}

const dollars = (microUsd: number): string =>
  `$${(microUsd / 1_000_000).toFixed(microUsd !== 0 && Math.abs(microUsd) < 10_000 ? 4 : 2)}`;

function deny(rule: string, sentence: string, reason: DenialReason = 'denied'): Decision {
  return { kind: 'deny', step: 1, rule, reason, sentence };
}
