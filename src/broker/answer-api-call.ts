import { messageOf } from '../errors.ts';
import { costMicroUsd, estimateMicroUsd } from '../llm/prices.ts';
import type { ChatRequest, ChatResult, Usage } from '../llm/provider.ts';
import { ProviderError } from '../llm/provider.ts';
import { withRetries } from '../llm/retry.ts';
import { type ChatFacts, decideApiCall } from '../policy/decide-api-call.ts';
import type { ApiCallDecision, ApiCallIntent, WireError } from '../runtime/protocol.ts';
import type { IntentRecord } from './intent-record.ts';
import { aboutIntent, openIntent } from './open-intent.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';
import { settle } from './settle.ts';
import type { Refusal, Settlement } from './settlement.ts';

/** Decides, reserves, performs and journals one call of a model. */
export async function answerApiCall(
  message: ApiCallIntent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<ApiCallDecision> {
  const { request } = message;
  if (request.kind === 'http') return unknownService(request.service);
  scope.tally.modelCalls += 1;
  const { provider } = parts;
  const model = provider.modelFor(request.hint);
  const priced = { provider: provider.name, model, origin: provider.origin };
  const estimate = await estimateMicroUsd(request, priced);
  const intent = openIntent(scope, parts.now, {
    kind: 'chat',
    name: request.response?.name ?? 'chat',
    target: `${provider.name}/${model}`,
    tier: estimate === 0 ? 0 : 3,
    repeatability: 'pure',
    wireId: message.id ?? null,
    request,
    reason: message.reason,
  });
  const call: Call = { intent, request, scope, parts, model, estimate };
  const settlement = await mayCall(call);
  if (!settlement.approved) return refuse(call, settlement);
  const overdrawn = reserve(call);
  if (overdrawn) return refuse(call, overdrawn);
  try {
    return await perform(call, settlement.rule);
  } finally {
    scope.run.reservedMicroUsd -= estimate ?? 0;
  }
}

/** Checks and reserves in one go, with no wait between: calls under way at once can't pass the cap together. */
function reserve(call: Call): Refusal | undefined {
  const decision = decideApiCall({ ...gatherChatFacts(call), hasConsent: true });
  if (decision.kind === 'deny') return { approved: false, ...decision };
  call.scope.run.reservedMicroUsd += call.estimate ?? 0;
  return undefined;
}

interface Call {
  readonly intent: IntentRecord;
  readonly request: ChatRequest;
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
  readonly model: string;
  /** Undefined where nobody knows the model's price. */
  readonly estimate: number | undefined;
}

/** Free calls are allowed at once; the first paid call of a run to a provider asks, and its answer holds for the run. */
async function mayCall(call: Call): Promise<Settlement> {
  const { intent, scope, parts } = call;
  const decision = decideApiCall(gatherChatFacts(call));
  if (decision.kind !== 'ask') return settle(decision, intent, NOTHING_ASKED, { scope, parts });
  const { spendConsents } = scope.run;
  const { name } = parts.provider;
  const asked = { kind: 'spend', details: describeSpend(call) } as const;
  const isFirst = !spendConsents.has(name);
  const consent = spendConsents.get(name) ?? settle(decision, intent, asked, { scope, parts });
  spendConsents.set(name, consent);
  const settlement = await (isFirst ? consent : scope.pause(() => consent));
  if (!settlement.approved) return settlement;
  const again = decideApiCall({ ...gatherChatFacts(call), hasConsent: true });
  return again.kind === 'deny'
    ? settle(again, intent, NOTHING_ASKED, { scope, parts })
    : settlement;
}

const NOTHING_ASKED = { kind: 'spend', details: '' } as const;

const NOTHING_SPENT = { microUsd: 0, tokens: 0 };

function gatherChatFacts({ request, scope, parts, estimate, intent }: Call): ChatFacts {
  const { budget, provider, redactor } = parts;
  const isCounted = estimate !== 0 || budget.runTokens !== undefined;
  const spent = isCounted ? budget.spentBy(scope.run.id) : NOTHING_SPENT;
  return {
    provider: provider.name,
    model: intent.target,
    estimateMicroUsd: estimate,
    gate: parts.gates.spend,
    hasConsent: budget.isConsent,
    holdsSecret: redactor.holdsSecret(request),
    runSpentMicroUsd: spent.microUsd + scope.run.reservedMicroUsd,
    runBudgetMicroUsd: budget.runMicroUsd,
    daySpentMicroUsd: (isCounted ? budget.spentToday() : 0) + scope.run.reservedMicroUsd,
    dayBudgetMicroUsd: budget.dayMicroUsd,
    runTokens: spent.tokens,
    runTokenBudget: budget.runTokens,
  };
}

/** What the one spend question says: which models, which cap, and what is sent there. */
function describeSpend({ parts: { provider, budget } }: Call): string {
  const models = new Set(
    (['fast', 'balanced', 'best'] as const).map((hint) => provider.modelFor(hint)),
  );
  return [
    `provider: ${provider.name} (${provider.origin ?? 'local'})`,
    `models: ${[...models].join(', ')}`,
    `cap for this run: $${(budget.runMicroUsd / 1e6).toFixed(2)} (CAPSTAN_BUDGET_RUN_USD, --budget-usd)`,
    'The task, and what capsules read of the files of the workspace, will be sent there.',
  ].join('\n');
}

function refuse(
  { intent, scope, parts }: Call,
  { rule, reason, sentence }: Refusal,
): ApiCallDecision {
  const endedAt = parts.now().toISOString();
  const error = { code: reason, message: sentence };
  scope.tally.denial = reason;
  const outcome = { approved: false, note: sentence };
  parts.journal.save({ ...intent, status: 'denied', rule, denial: reason, outcome, endedAt });
  const what = `${intent.name} ${intent.target}`;
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  return { type: 'api_call_decision', approved: false, note: sentence, error };
}

async function perform(call: Call, rule: string): Promise<ApiCallDecision> {
  const { intent, request, scope, parts, model } = call;
  const started = {
    ...intent,
    status: 'started',
    rule,
    startedAt: parts.now().toISOString(),
  } as const;
  save(parts, started);
  const about = { ...aboutIntent(intent), provider: parts.provider.name, model };
  parts.events.emit({ type: 'model.requested', ...about, purpose: intent.name });
  const startedMs = performance.now();
  const told = { about, durationMs: () => Math.round(performance.now() - startedMs) };
  try {
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(parts.modelTimeoutMs)]);
    const deadlineMs = Date.now() + parts.modelTimeoutMs;
    const result = await withRetries(() => parts.provider.chat(request, signal), {
      signal,
      deadlineMs,
      onRetry: ({ waitMs, error }) =>
        notice(call, `${error.message} Trying again in ${waitMs} ms.`),
    });
    return await settleCost(call, started, result, told);
  } catch (thrown) {
    return await fail(call, started, thrown, told);
  }
}

interface Told {
  readonly about: ReturnType<typeof aboutIntent> & {
    readonly provider: string;
    readonly model: string;
  };
  readonly durationMs: () => number;
}

async function settleCost(
  call: Call,
  started: IntentRecord,
  { response, usage }: ChatResult,
  told: Told,
): Promise<ApiCallDecision> {
  const clean = call.parts.redactor.redact(response);
  const outcome = { approved: true, response: clean, usage };
  const cost = await costOf(call, usage, response.model);
  end(call, { ...started, ...cost, status: 'done', outcome }, told);
  return { type: 'api_call_decision', approved: true, note: '', response: clean, usage };
}

/** A failed call may have been paid for all the same: an answer that could not be read. */
async function fail(
  call: Call,
  started: IntentRecord,
  thrown: unknown,
  told: Told,
): Promise<ApiCallDecision> {
  const { scope, parts } = call;
  const error = parts.redactor.redact(wireError(thrown, parts));
  if (error.code === 'PROVIDER_FAILED') scope.tally.denial ??= 'provider';
  const usage = thrown instanceof ProviderError ? thrown.usage : undefined;
  const cost = usage ? await costOf(call, usage, call.model) : {};
  end(
    call,
    { ...started, ...cost, status: 'failed', outcome: { approved: true, error } },
    told,
    error,
  );
  return { type: 'api_call_decision', approved: true, note: error.message, error };
}

/** What a call cost by the vendor's usage and our prices; where those are not known, what was reserved. */
async function costOf(
  { parts: { provider }, model, estimate }: Call,
  usage: Usage,
  answered: string,
) {
  const priced = { provider: provider.name, origin: provider.origin };
  const cost =
    (await costMicroUsd(usage, { ...priced, model: answered || model })) ??
    (await costMicroUsd(usage, { ...priced, model }));
  return {
    costMicroUsd: cost ?? estimate ?? 0,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
  };
}

function end({ scope, parts }: Call, intent: IntentRecord, told: Told, error?: WireError): void {
  scope.tally.costMicroUsd += intent.costMicroUsd;
  save(parts, { ...intent, endedAt: parts.now().toISOString() });
  parts.events.emit({
    type: 'model.answered',
    ...told.about,
    ok: error === undefined,
    message: error?.message ?? null,
    input_tokens: intent.inputTokens,
    output_tokens: intent.outputTokens,
    cost_usd: intent.costMicroUsd / 1e6,
    duration_ms: told.durationMs(),
  });
}

function wireError(thrown: unknown, { provider, modelTimeoutMs }: BrokerParts): WireError {
  if (thrown instanceof ProviderError && thrown.problem === 'needs_model') {
    return { code: 'MODEL_NEEDED', message: thrown.message };
  }
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    const message = `${provider.name} gave no answer within ${modelTimeoutMs} ms (CAPSTAN_MODEL_TIMEOUT_SEC).`;
    return { code: 'PROVIDER_FAILED', message };
  }
  return { code: 'PROVIDER_FAILED', message: `${provider.name}: ${messageOf(thrown)}` };
}

/** A paid call is on the disk before it is made and before its answer is used; a free one shares a later commit. */
function save({ journal }: BrokerParts, intent: IntentRecord): void {
  if (intent.tier === 0) journal.saveSoon(intent);
  else journal.save(intent);
}

function notice({ scope, parts }: Call, text: string): void {
  parts.events.emit({ type: 'run.noticed', run_id: scope.run.id, text });
}

const unknownService = (service: string): ApiCallDecision => {
  const message = `There is no service "${service}": none is configured.`;
  return {
    type: 'api_call_decision',
    approved: false,
    note: message,
    error: { code: 'SERVICE_UNKNOWN', message },
  };
};
