import { messageOf } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ApiCallDecision, WireError } from '../../contract/protocol.ts';
import { failPoint } from '../../db/fail-point.ts';
import { isStorageFailure } from '../../db/storage-failure.ts';
import { type ChatResult, ProviderError } from '../../llm/provider.ts';
import { withRetries } from '../../llm/retry.ts';
import { withDeadline } from '../../platform/with-deadline.ts';
import type { ChatCall } from '../chat/chat-call.ts';
import { aboutIntent } from '../intent/record.ts';
import { type Bill, openBill } from '../money/bill.ts';
import { countsAgainst, noteOutcome } from '../money/breaker-outcome.ts';
import { saveReserved } from '../money/reserve.ts';
import { type BegunChat, fitsWith, reserveParts } from '../money/reserve-money.ts';
import { warnOfBudgets } from '../money/warn-of-budgets.ts';
import { afterChat, type EndedChat } from './chat-hooks.ts';

/** Makes the call that has begun, again where that may help, and settles what it cost. */
export async function performChat(call: ChatCall, begun: BegunChat): Promise<ApiCallDecision> {
  const { parts, model, intent } = call;
  const about = { ...aboutIntent(intent), provider: parts.provider.name, model };
  parts.events.emit({ type: 'model.requested', ...about, purpose: intent.name });
  const startedMs = performance.now();
  const bill = openBill(call.quote, call.bound);
  const performing: Performing = { call, begun, bill, about, startedMs };
  return afterChat(call, await perform(performing));
}

/** The call itself. What it throws is an outcome. */
async function perform(performing: Performing): Promise<EndedChat> {
  const { call } = performing;
  const { parts, scope } = call;
  try {
    const deadlineMs = Date.now() + parts.modelTimeoutMs;
    const result = await withDeadline(scope.signal, parts.modelTimeoutMs, (signal) =>
      withRetries((attempt) => chatOnce(performing, attempt, signal), {
        signal,
        deadlineMs,
        onRetry: ({ waitMs, error }) =>
          notice(call, `${error.message} Trying again in ${waitMs} ms.`),
      }),
    );
    return succeed(performing, result);
  } catch (thrown) {
    if (isStorageFailure(thrown)) throw thrown;
    return fail(performing, thrown);
  }
}

interface Performing {
  readonly call: ChatCall;
  readonly begun: BegunChat;
  readonly bill: Bill;
  readonly about: ReturnType<typeof aboutIntent> & {
    readonly provider: string;
    readonly model: string;
  };
  readonly startedMs: number;
}

async function chatOnce(
  { call, begun, bill }: Performing,
  attempt: number,
  signal: AbortSignal,
): Promise<ChatResult> {
  if (attempt > 1) reserveAgain(call, begun, bill);
  try {
    failPoint('call');
    const result = await call.parts.provider.chat(call.request, signal);
    failPoint('called');
    bill.addAnswer(result.usage);
    return result;
  } catch (error) {
    bill.addFailure(error);
    throw error;
  }
}

/** What a failed try may have cost is spent: the next is reserved on top of it. */
function reserveAgain(call: ChatCall, { started }: BegunChat, bill: Bill): void {
  const { microUsd, usage } = bill.soFar();
  if (microUsd === 0 && usage.input_tokens + usage.output_tokens === 0) return;
  const tokens = usage.input_tokens + usage.output_tokens;
  const { bound } = call;
  const total = { microUsd: bound.microUsd + microUsd, tokens: bound.tokens + tokens };
  const reserved: IntentRecord = {
    ...started,
    reservedMicroUsd: total.microUsd,
    reservedTokens: total.tokens,
  };
  if (saveReserved(reserved, fitsWith({ ...call, bound: total }), reserveParts(call))) return;
  throw new ProviderError(call.parts.provider.name, 'The budget leaves no room for another try.', {
    problem: 'bad_request',
    retryable: false,
  });
}

function succeed(performing: Performing, { response }: ChatResult): EndedChat {
  const { begun, bill } = performing;
  const { usage } = bill.soFar();
  const outcome = { approved: true, note: '', response, usage: bill.lastUsage() ?? usage };
  return { ended: end(performing, { ...begun.started, status: 'done', outcome }), outcome };
}

function fail(performing: Performing, thrown: unknown): EndedChat {
  const { call, begun } = performing;
  const { scope } = call;
  const error = wireError(thrown, call);
  if (error.code === 'PROVIDER_FAILED') scope.tally.denial ??= 'provider';
  const outcome = { approved: true, note: error.message, error };
  const ended = end(performing, { ...begun.started, status: 'failed', outcome }, { thrown, error });
  return { ended, outcome };
}

interface Failure {
  readonly thrown: unknown;
  readonly error: WireError;
}

const noted = ({ thrown, error }: Failure, cancelled: AbortSignal) => ({
  message: error.message,
  isTechnical: countsAgainst(thrown, cancelled),
});

/** Settles money, tokens and breaker in the transaction that ends the intent. */
function end(performing: Performing, ended: IntentRecord, failure?: Failure): IntentRecord {
  const { call, begun, bill, about, startedMs } = performing;
  const { scope, parts } = call;
  const { microUsd, usage } = bill.soFar();
  const settled: IntentRecord = {
    ...ended,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    costMicroUsd: microUsd,
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
    endedAt: parts.now().toISOString(),
  };
  scope.tally.costMicroUsd += microUsd;
  const breaker = noteOutcome(call, begun, failure && noted(failure, scope.signal));
  if (breaker) parts.journal.save(settled, breaker.write);
  else save(call, settled);
  parts.events.emit({
    type: 'model.answered',
    ...about,
    ok: failure === undefined,
    message: failure?.error.message ?? null,
    input_tokens: settled.inputTokens,
    output_tokens: settled.outputTokens,
    cost_usd: settled.costMicroUsd / 1e6,
    duration_ms: Math.round(performance.now() - startedMs),
  });
  breaker?.tell();
  warnOfBudgets(call);
  return settled;
}

/** What costs is on the disk before its answer is used; what is free shares a later commit. */
function save({ parts: { journal } }: ChatCall, intent: IntentRecord): void {
  if (intent.tier === 0) journal.saveSoon(intent);
  else journal.save(intent);
}

function wireError(thrown: unknown, { parts: { provider, modelTimeoutMs } }: ChatCall): WireError {
  if (thrown instanceof ProviderError && thrown.problem === 'needs_model') {
    return { code: 'MODEL_NEEDED', message: thrown.message };
  }
  if (thrown instanceof Error && thrown.name === 'TimeoutError') {
    const message = `${provider.name} gave no answer within ${modelTimeoutMs} ms (CAPSTAN_MODEL_TIMEOUT_SEC).`;
    return { code: 'PROVIDER_FAILED', message };
  }
  return { code: 'PROVIDER_FAILED', message: `${provider.name}: ${messageOf(thrown)}` };
}

function notice({ scope, parts }: ChatCall, text: string): void {
  parts.events.emit({ type: 'run.noticed', run_id: scope.run.id, text });
}
