import type { Quote } from '../llm/prices.ts';
import type { ChatRequest } from '../llm/provider.ts';
import { boundUsage } from '../llm/usage.ts';
import type { ChatFacts } from '../policy/decide-api-call.ts';
import type { OpenBreaker } from '../policy/tool-call-facts.ts';
import type { BreakerKey } from './breaker-store.ts';
import type { BudgetStanding } from './budget.ts';
import type { IntentRecord } from './intent-record.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';
import { hasConsent } from './spend-consent.ts';

/** One call of a model, from its intent to its answer. */
export interface ChatCall {
  readonly intent: IntentRecord;
  readonly request: ChatRequest;
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
  readonly model: string;
  readonly quote: Quote;
  /** The most that it may cost and use. */
  readonly bound: { readonly microUsd: number; readonly tokens: number };
}

/** What a request may cost and use at most, by our own price. */
export function boundOf(request: ChatRequest, quote: Quote): ChatCall['bound'] {
  const usage = boundUsage(request);
  const tokens = usage.input_tokens + usage.output_tokens;
  return { microUsd: quote.costMicroUsd(usage), tokens };
}

/** Whether anything of it is reserved: free calls are counted only where tokens are. */
export const isCounted = ({ bound, scope }: ChatCall): boolean =>
  bound.microUsd > 0 || scope.run.policy.budget.runTokens !== undefined;

export const breakerKey = ({ model, parts }: ChatCall): BreakerKey => ({
  provider: parts.provider.name,
  model,
});

const NOTHING_SPENT: BudgetStanding = {
  runSpentMicroUsd: 0,
  runBudgetMicroUsd: 0,
  daySpentMicroUsd: 0,
  dayBudgetMicroUsd: 0,
  runTokens: 0,
  runTokenBudget: undefined,
};

/** All that the decision looks at, as it is now. */
export function gatherChatFacts(call: ChatCall): ChatFacts {
  const { request, scope, parts, intent, quote } = call;
  const { budget, provider, redactor } = parts;
  const { policy } = scope.run;
  const breaker = provider.isModel ? openBreaker(call) : undefined;
  return {
    provider: provider.name,
    model: intent.target,
    capsuleId: scope.capsuleId,
    ...(provider.origin !== undefined && { origin: provider.origin }),
    gate: policy.gates.spend,
    rules: policy.rules,
    hasConsent: quote.basis !== 'free' && hasConsent(call),
    holdsSecret: redactor.holdsSecret(request),
    ...(isCounted(call) ? budget.standing(intent, policy) : NOTHING_SPENT),
    ...estimatesOf(call),
    ...(parts.approver !== undefined && { mayRaise: true }),
    ...(breaker && { breaker }),
  };
}

/** The part of the facts that the call itself adds. */
export const estimatesOf = ({ bound, quote }: ChatCall) => ({
  estimateMicroUsd: bound.microUsd,
  estimateTokens: bound.tokens,
  ...(quote.basis === 'dearest' && { isPriceKnown: false }),
});

function openBreaker(call: ChatCall): OpenBreaker | undefined {
  const standing = call.parts.breakers.standing(breakerKey(call));
  if (standing.kind !== 'open') return undefined;
  return { subject: `${call.parts.provider.name} (${call.model})`, restMs: standing.restMs };
}
