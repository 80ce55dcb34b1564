import type { IntentRecord } from '../../contract/intent.ts';
import type { Quote } from '../../llm/prices.ts';
import type { ChatFacts } from '../../policy/decide-api-call.ts';
import type { HookAnswer, OpenBreaker } from '../../policy/tool-call-facts.ts';
import type { BrokerParts } from '../calls/parts.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { BreakerKey } from './breaker-store.ts';
import type { BudgetStanding } from './budget.ts';

/** Who is paid: a provider of models, or a service. */
export interface Payee {
  /** The target of every intent that pays it begins with this name and a slash. */
  readonly name: string;
  /** Undefined where nothing leaves the process. */
  readonly origin: string | undefined;
  /** Whether it has a breaker. */
  readonly isGuarded: boolean;
  /** Longest time of one call, in milliseconds. */
  readonly waitMs: number;
}

/** One call that may cost money. */
export interface PaidCall {
  readonly intent: IntentRecord;
  readonly request: unknown;
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
  readonly payee: Payee;
  /** What the breaker is of, beside the payee: a model, or a host. */
  readonly model: string;
  readonly quote: Pick<Quote, 'basis' | 'source' | 'date'>;
  /** The most that it may cost and use. */
  readonly bound: { readonly microUsd: number; readonly tokens: number };
  /** Rules that are still to be looked at. */
  readonly rules: ChatFacts['rules'];
  /** Whether a rule of the person has allowed the call as a whole, its cost included. */
  readonly isAllowedByRule: boolean;
  /** What the person's hooks have against it; undefined where nothing. */
  readonly hook?: HookAnswer | undefined;
  /** `reserved`: its money is put aside, and something else is decided before it starts. */
  readonly begins: 'started' | 'reserved';
  /** What the question says about this money: prices, caps, and what is sent there. */
  describe(): string;
}

/** Whether anything of it is reserved: free calls are counted only where tokens are. */
export const isCounted = ({ bound, scope }: PaidCall): boolean =>
  bound.microUsd > 0 || (bound.tokens > 0 && scope.run.policy.budget.runTokens !== undefined);

export const breakerKey = ({ model, payee }: PaidCall): BreakerKey => ({
  provider: payee.name,
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

/**
 * All that the decision looks at, as it is now.
 *
 * @param isAgreed Whether somebody agreed to spend this money; not asked where it costs none.
 */
export function gatherSpendFacts(call: PaidCall, isAgreed: () => boolean): ChatFacts {
  const { request, scope, parts, intent, quote, payee } = call;
  const { policy } = scope.run;
  const breaker = payee.isGuarded ? openBreaker(call) : undefined;
  return {
    provider: payee.name,
    model: intent.target,
    capsuleId: scope.capsuleId,
    ...(payee.origin !== undefined && { origin: payee.origin }),
    gate: policy.gates.spend,
    rules: call.rules,
    hasConsent: quote.basis !== 'free' && (call.isAllowedByRule || isAgreed()),
    holdsSecret: parts.redactor.holdsSecret(request),
    ...(isCounted(call) ? parts.budget.standing(intent, policy) : NOTHING_SPENT),
    ...estimatesOf(call),
    ...(parts.canAnswer(scope.run) && { mayRaise: true }),
    ...(breaker && { breaker }),
    ...(call.hook && { hook: call.hook }),
  };
}

/** The part of the facts that the call itself adds. */
export const estimatesOf = ({ bound, quote }: PaidCall) => ({
  estimateMicroUsd: bound.microUsd,
  estimateTokens: bound.tokens,
  ...(quote.basis === 'dearest' && { isPriceKnown: false }),
});

function openBreaker(call: PaidCall): OpenBreaker | undefined {
  const standing = call.parts.breakers.standing(breakerKey(call));
  if (standing.kind !== 'open') return undefined;
  return { subject: `${call.payee.name} (${call.model})`, restMs: standing.restMs };
}
