import type { Quote } from '../../llm/prices.ts';
import type { ModelRequest } from '../../llm/provider.ts';
import { boundUsage } from '../../llm/usage.ts';
import { dollars } from '../../policy/spend-limits.ts';
import type { PaidCall, Payee } from '../money/paid-call.ts';
import type { BrokerParts } from '../parts.ts';

/** One call of a model, from its intent to its answer. */
export interface ChatCall extends PaidCall {
  readonly request: ModelRequest;
  readonly quote: Quote;
}

/** What a request may cost and use at most, by our own price. */
export function boundOf(request: ModelRequest, quote: Quote): ChatCall['bound'] {
  const usage = boundUsage(request);
  const tokens = usage.input_tokens + usage.output_tokens;
  return { microUsd: quote.costMicroUsd(usage), tokens };
}

/** The provider of models as somebody who is paid. */
export const payeeOf = ({ provider, modelTimeoutMs }: BrokerParts): Payee => ({
  name: provider.name,
  origin: provider.origin,
  isGuarded: provider.isModel,
  waitMs: modelTimeoutMs,
});

/** A call of a model with all that paying for it needs. */
export function chatCall(
  call: Pick<ChatCall, 'intent' | 'request' | 'hook' | 'scope' | 'parts' | 'model' | 'quote'>,
): ChatCall {
  const { parts, scope, request, quote } = call;
  const made: ChatCall = {
    ...call,
    payee: payeeOf(parts),
    bound: boundOf(request, quote),
    rules: scope.run.policy.rules,
    isAllowedByRule: false,
    begins: 'started',
    describe: () => describe(made),
  };
  return made;
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
    `cap for this run: ${dollars(runBudgetMicroUsd)} (CAPSTAN_BUDGET_RUN_USD)`,
    'The task, and what capsules read of the files of the workspace, will be sent there.',
  ].join('\n');
}
