import { type ChatRequest, ModelHint } from '../../contract/wire/chat.ts';
import type { ApiCallIntent } from '../../contract/wire/protocol.ts';
import { boundUsage } from '../../llm/answer/usage.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { dollars } from '../../policy/limits/spend-limits.ts';
import { propose } from '../intent/transitions.ts';
import type { Payment } from '../money/payment.ts';
import { adoptIntent } from '../recall/recall.ts';
import type { CallKind, Received, Result } from './call.ts';
import { runAfterChatHooks, runBeforeChatHooks } from './call-hooks.ts';
import type { ChatCall, ChatOutcome } from './chat/chat-call.ts';
import { performChat, reportChat } from './chat/perform-chat.ts';
import type { CallContext } from './parts.ts';

export type ChatIntent = ApiCallIntent & { readonly request: ChatRequest };

/** Calls of models. The decision on their money is the whole decision. */
export const chatCalls: CallKind<ChatIntent, ChatCall, ChatOutcome> = {
  counter: 'modelCalls',
  afterHook: 'post_model_call',
  restore(recorded, { parts: { provider } }) {
    const { carried } = (recorded ?? {}) as Partial<ChatOutcome>;
    if (carried?.calls && carried.provider === provider.name) provider.restore?.(carried.calls);
  },
  requestOf: ({ request }) => request,
  prepare,
  payment,
  permit: ({ intent }) => {
    throw new Error(`model call ${intent.id} was not decided with its money`);
  },
  basis: () => ({}),
  perform: performChat,
  report: reportChat,
  runAfterHooks: runAfterChatHooks,
  denialError: ({ reason, sentence }) => ({ code: reason, message: sentence }),
  outcomeOf: (result: Result) =>
    result.ok
      ? { approved: true, note: '', response: result.result }
      : { approved: false, note: result.error.message, error: result.error },
  stored: (outcome) => outcome,
  reply(stored) {
    const {
      estimated: _1,
      carried: _2,
      problem: _3,
      refused: _4,
      ...outcome
    } = stored as ChatOutcome;
    return { type: 'api_call_decision', ...outcome };
  },
};

async function prepare(
  { message, requestHash, recorded }: Received<ChatIntent>,
  context: CallContext,
): Promise<ChatCall> {
  const { scope, parts } = context;
  const { id, reason } = message;
  const { request, hook } = parts.hooks.has('pre_model_call')
    ? await runBeforeChatHooks(message.request, context)
    : { request: message.request, hook: undefined };
  const isChanged = request !== message.request;
  const { name, origin } = parts.provider;
  const model = parts.provider.modelFor(request.hint);
  const quote = await parts.prices.quote({ provider: name, model, origin });
  const usage = boundUsage(request);
  const tokens = usage.input_tokens + usage.output_tokens;
  const proposed = propose(scope, parts.now, {
    kind: 'chat',
    name: request.response?.name ?? 'chat',
    target: `${name}/${model}`,
    tier: quote.basis === 'free' ? 0 : 3,
    repeatability: 'pure',
    wireId: id ?? null,
    request,
    requestHash: isChanged ? canonicalHash(request) : requestHash,
    askedHash: isChanged ? requestHash : null,
    reason,
  });
  return {
    intent: recorded.kind === 'adopt' ? adoptIntent(recorded.record, proposed) : proposed,
    context,
    request,
    hook,
    model,
    quote,
    bound: { microUsd: quote.costMicroUsd(usage), tokens },
  };
}

function payment(call: ChatCall): Payment {
  const { intent, context, request, hook, model, quote, bound } = call;
  const { scope, parts } = context;
  const { provider, limits } = parts;
  return {
    intent,
    request,
    scope,
    parts,
    payee: {
      name: provider.name,
      origin: provider.origin,
      isGuarded: provider.isModel,
      waitMs: limits.modelTimeoutMs,
    },
    model,
    quote,
    bound,
    rules: scope.run.policy.rules,
    isAllowedByRule: false,
    hook,
    isOptional: parts.isFallback,
    startsAtOnce: true,
    describe: () => describe(call),
  };
}

/** Models, prices, caps, and which data is sent. */
function describe({ intent, context: { scope, parts }, quote, bound, model }: ChatCall): string {
  const { provider, budget } = parts;
  const models = new Set(ModelHint.options.map(provider.modelFor));
  const { price, source, date } = quote;
  const rates = `${dollars(price.inputPerMillionMicroUsd)} in, ${dollars(price.outputPerMillionMicroUsd)} out, per million tokens`;
  const { runBudgetMicroUsd } = budget.used(intent, scope.run.policy);
  return [
    `provider: ${provider.name} (${provider.origin ?? 'local'})`,
    `models: ${[...models].join(', ')}`,
    quote.basis === 'highest'
      ? `price of ${model}: unknown; assumed: ${source} of ${date}: ${rates}`
      : `price of ${model}: ${rates} (${source}, ${date})`,
    `this call: up to ${dollars(bound.microUsd)}`,
    `cap for this run: ${dollars(runBudgetMicroUsd)} (CAPSTAN_BUDGET_RUN_USD)`,
    'The task, and workspace content that capsules read, will be sent there.',
  ].join('\n');
}
