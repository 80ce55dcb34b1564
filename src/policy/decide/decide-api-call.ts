import type { GateMode } from '../../contract/gate.ts';
import { breakerSentence, hookSentence, RULES_UNREADABLE } from '../limits/denials.ts';
import {
  dollars,
  passedLimit,
  passesTokens,
  raiseOf,
  type SpendFacts,
  type SpendLimit,
} from '../limits/spend-limits.ts';
import { decidingRule, type Rule, ruleSentence } from '../rules/rule.ts';
import { ruleCallOfChat } from '../rules/rule-call.ts';
import { type Decision, type DenialReason, stricter } from './decision.ts';
import type { HookAnswer, OpenBreaker } from './tool-call-facts.ts';

/** All facts for the decision on a model call. Money in micro-dollars. */
export interface ChatFacts extends SpendFacts {
  readonly provider: string;
  readonly model: string;
  /** Whether the model has a known price; else the estimate uses the highest price of its provider. Default: true. */
  readonly isPriceKnown?: boolean | undefined;
  /** How to set an unknown price: a sentence without a full stop. */
  readonly priceAdvice?: string | undefined;
  readonly gate: GateMode;
  /** Whether the person set a budget, or answered the run's spend question for this provider. */
  readonly hasConsent: boolean;
  /** Whether the request contains a known secret. */
  readonly holdsSecret: boolean;
  readonly capsuleId?: string | undefined;
  /** The address of the provider; undefined if the model runs in this process. */
  readonly origin?: string | undefined;
  /** Whether a call that would exceed a budget asks to raise it. Default: it is denied. */
  readonly mayRaise?: boolean | undefined;
  /** The rules that the run began with. */
  readonly rules?: readonly Rule[] | 'unreadable' | undefined;
  /** The rules as they are now: a stricter decision by them wins. Default: the same. */
  readonly currentRules?: readonly Rule[] | 'unreadable' | undefined;
  /** Undefined: nothing is paused. */
  readonly breaker?: OpenBreaker | undefined;
  /** Undefined: no hook objects. */
  readonly hook?: HookAnswer | undefined;
}

type Check = (facts: ChatFacts) => Decision | undefined;

/** First match wins. A call that costs nothing (offline, loopback) spends nothing, so neither a gate nor a money budget applies to it. */
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

/** Decides one model call. If nothing allows it, the run's one spend question is asked. */
export function decideApiCall(facts: ChatFacts): Decision {
  const decision = decideBy(facts);
  if (facts.currentRules === undefined) return decision;
  return stricter(decision, decideBy({ ...facts, rules: facts.currentRules }));
}

function decideBy(facts: ChatFacts): Decision {
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

function tokensSpent(facts: ChatFacts): Decision | undefined {
  if (!passesTokens(facts)) return undefined;
  const { runTokens, runTokenBudget, estimateTokens = 0 } = facts;
  const adds = estimateTokens > 0 ? `, and this call may use up to ${estimateTokens}` : '';
  const sentence = `${runTokens} of ${runTokenBudget} tokens are used or reserved${adds} (CAPSTAN_BUDGET_RUN_TOKENS).`;
  return deny('token_budget', sentence, 'budget');
}

function gateDenies({ gate, estimateMicroUsd }: ChatFacts): Decision | undefined {
  return gate === 'deny' && estimateMicroUsd !== 0
    ? deny('gate_deny', 'CAPSTAN_SPEND_GATE is set to deny.')
    : undefined;
}

/** Step 1, or step 2 if the budget can be raised. */
function budgetSpent(facts: ChatFacts): Decision | undefined {
  const limit = passedLimit(facts);
  if (limit === undefined) return undefined;
  const { rule, what, budget } = limit;
  const sentence = budgetSentence(limit, facts);
  if (!facts.mayRaise) return deny(rule, sentence, 'budget');
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

/** Step 3: a free call may be denied, or asked about, too. */
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

function deny(rule: string, sentence: string, reason: DenialReason = 'denied'): Decision {
  return { kind: 'deny', step: 1, rule, reason, sentence };
}
