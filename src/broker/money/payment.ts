import type { IntentRecord } from '../../contract/intent.ts';
import type { Quote } from '../../llm/prices/prices.ts';
import type { ChatFacts } from '../../policy/decide/chat-facts.ts';
import type { HookAnswer } from '../../policy/decide/tool-call-facts.ts';
import type { BreakerState } from '../../policy/limits/breaker.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { QuestionParts } from '../questions/question.ts';
import type { BreakerKey, BreakerStore } from './breaker-store.ts';
import type { Budget, BudgetUse } from './budget.ts';

/** The dependencies of payments. */
export interface MoneyParts extends QuestionParts {
  readonly budget: Budget;
  readonly breakers: BreakerStore;
  readonly redactor: Redactor;
}

/** The payee: a model provider, or a service. */
export interface Payee {
  /** The target of every intent that pays it begins with this name and a slash. */
  readonly name: string;
  /** Undefined if nothing leaves the process. */
  readonly origin: string | undefined;
  readonly isGuarded: boolean;
  /** The longest duration of one request, in milliseconds. */
  readonly waitMs: number;
}

/** The maximum cost of one call, and the facts for the decision on it. */
export interface Payment {
  readonly intent: IntentRecord;
  readonly request: unknown;
  readonly scope: AttemptScope;
  readonly parts: MoneyParts;
  readonly payee: Payee;
  /** The second part of the breaker's key: a model, or a host. */
  readonly model: string;
  readonly quote: Pick<Quote, 'basis' | 'source' | 'date' | 'advice'>;
  readonly bound: { readonly microUsd: number; readonly tokens: number };
  /** Rules that were not applied yet; undefined if all were. */
  readonly rules: ChatFacts['rules'];
  /** Whether a rule of the user has allowed the call as a whole, its cost included. */
  readonly isAllowedByRule: boolean;
  readonly hook?: HookAnswer | undefined;
  /** Whether there is an alternative if it is refused, so that the call does not wait for a person. Default: false. */
  readonly isOptional?: boolean | undefined;
  /** Whether the intent starts with the reservation. If not, the money is only reserved, and the operation is decided later. */
  readonly startsAtOnce: boolean;
  /** The details of its question: prices, caps, and which data is sent. */
  describe(): string;
}

/** Whether anything is reserved: tokens of free calls count only if they have a budget. */
export const isCounted = ({ bound, scope }: Payment): boolean =>
  bound.microUsd > 0 || (bound.tokens > 0 && scope.run.policy.budget.runTokens !== undefined);

export const breakerKey = ({ model, payee }: Payment): BreakerKey => ({
  provider: payee.name,
  model,
});

/** No budget, and nothing spent. */
export const NOTHING_USED: BudgetUse = {
  runSpentMicroUsd: 0,
  runBudgetMicroUsd: 0,
  daySpentMicroUsd: 0,
  dayBudgetMicroUsd: 0,
  runTokens: 0,
  runTokenBudget: undefined,
};

/** The current facts for the decision. `isAgreed` is not called if it costs nothing. */
export function gatherSpendFacts(
  payment: Payment,
  isAgreed: () => boolean,
  breaker = breakerOf(payment),
): ChatFacts {
  const { request, scope, parts, intent, quote, payee } = payment;
  const { policy } = scope.run;
  return {
    provider: payee.name,
    model: intent.target,
    capsuleId: scope.capsuleId,
    origin: payee.origin,
    gate: policy.gates.spend,
    rules: payment.rules,
    currentRules: payment.rules && scope.run.currentRules?.rules,
    hasConsent: quote.basis !== 'free' && (payment.isAllowedByRule || isAgreed()),
    holdsSecret: parts.redactor.holdsSecret(request),
    ...(isCounted(payment) ? parts.budget.used(intent, policy) : NOTHING_USED),
    ...estimatesOf(payment),
    mayRaise: parts.canAnswer(scope.run) || undefined,
    ...(breaker.kind === 'open' && {
      breaker: { subject: `${payee.name} (${payment.model})`, restMs: breaker.restMs },
    }),
    hook: payment.hook,
  };
}

/** The facts that come from the call itself. */
export const estimatesOf = ({ bound, quote }: Payment) => ({
  estimateMicroUsd: bound.microUsd,
  estimateTokens: bound.tokens,
  ...(quote.basis === 'highest' && { isPriceKnown: false, priceAdvice: quote.advice }),
});

/** The breaker of the payee; closed if it has none. */
export const breakerOf = (payment: Payment): BreakerState =>
  payment.payee.isGuarded
    ? payment.parts.breakers.stateOf(breakerKey(payment))
    : { kind: 'closed' };
