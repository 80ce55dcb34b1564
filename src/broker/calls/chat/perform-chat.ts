import { messageOf } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { WireError } from '../../../contract/wire/coordinator-messages.ts';
import { failPoint } from '../../../db/fail-point.ts';
import { isStorageFailure } from '../../../db/health/storage-failure.ts';
import { withRetries } from '../../../llm/http/retry.ts';
import { type ChatResult, isOutage, ProviderError } from '../../../llm/provider.ts';
import { withDeadline } from '../../../platform/with-deadline.ts';
import { passedLimit, passesTokens } from '../../../policy/limits/spend-limits.ts';
import { toStoredChatFacts } from '../../../policy/limits/stored-facts.ts';
import { aboutIntent } from '../../intent/record.ts';
import { gatherSpendFacts, type Payment } from '../../money/payment.ts';
import { saveIfItFits } from '../../money/reserve.ts';
import { type Bill, countsAgainst, openBill } from '../../money/settle.ts';
import type { Performed } from '../call.ts';
import { notice } from '../notice.ts';
import type { CallContext } from '../parts.ts';
import { createTextSender, type TextSender } from '../send-text.ts';
import type { ChatCall, ChatOutcome } from './chat-call.ts';

/** Step 7 of a model call, with retries. */
export async function performChat(
  call: ChatCall,
  started: IntentRecord,
): Promise<Performed<ChatOutcome>> {
  const { model, context, quote, bound } = call;
  const { scope, parts } = context;
  const about = { ...aboutIntent(started), provider: parts.provider.name, model };
  parts.events.emit({ type: 'model.requested', ...about, purpose: started.name });
  const startedMs = performance.now();
  const bill = openBill(quote, bound);
  try {
    const { response, carried } = await chatWithRetries(call, started, bill);
    const cost = bill.total();
    const usage = bill.answered() ?? cost.usage;
    const rest = { estimated: bill.estimated(), carried: carriedOf(carried, parts) };
    const outcome = { approved: true, note: '', response, usage, ...rest };
    return { ended: 'done', outcome, startedMs, cost };
  } catch (thrown) {
    if (isStorageFailure(thrown)) throw thrown;
    const error = wireError(thrown, call);
    if (error.code === 'PROVIDER_FAILED') scope.tally.denial ??= 'provider';
    const problem = thrown instanceof ProviderError ? thrown.problem : undefined;
    const refused = thrown instanceof NoMoreTries ? thrown.refused : undefined;
    const rest = { estimated: bill.estimated(), problem, refused };
    return {
      ended: 'failed',
      outcome: { approved: true, note: error.message, error, ...rest },
      startedMs,
      cost: bill.total(),
      failure: {
        message: error.message,
        isTechnical: countsAgainst(thrown, scope.signal),
        isOutage: isOutage(thrown) && !scope.signal.aborted,
      },
    };
  }
}

/** Undefined if it contains a secret: the vendor must get back exactly what it sent. */
const carriedOf = (
  calls: ChatResult['carried'],
  { provider, redactor }: CallContext['parts'],
): ChatOutcome['carried'] =>
  calls && !redactor.holdsSecret(calls) ? { provider: provider.name, calls } : undefined;

/** Each try has the time of one call. The probe of a half-open breaker is one try. */
function chatWithRetries(call: ChatCall, started: IntentRecord, bill: Bill): Promise<ChatResult> {
  const { scope, parts } = call.context;
  const { limits, events, provider } = parts;
  const { modelTimeoutMs, modelRetryMs: maxMs } = limits;
  const text = createTextSender('model.delta', started, parts);
  const chat = () =>
    withDeadline(scope.signal, modelTimeoutMs, (signal) => chatOnce(call, { bill, text }, signal));
  if (call.reservation?.isProbe) return chat();
  let failed: ProviderError | undefined;
  return withRetries(
    () => {
      if (failed) reserveAgain(call, started, bill, failed);
      return chat();
    },
    {
      signal: scope.signal,
      ...(maxMs !== undefined && { maxMs }),
      onRetry({ waitMs: wait_ms, error }) {
        failed = error;
        const problem = `${provider.name}: ${error.message}`;
        const about = { provider: provider.name, model: call.model, problem };
        events.emit({ type: 'model.delayed', ...aboutIntent(started), ...about, wait_ms });
      },
    },
  );
}

/** @throws ProviderError `timeout` if its own time is up, whether or not the provider observes the signal. */
async function chatOnce(
  { request, context }: ChatCall,
  { bill, text }: { readonly bill: Bill; readonly text: TextSender },
  signal: AbortSignal,
): Promise<ChatResult> {
  const { provider, limits } = context.parts;
  try {
    failPoint('call');
    text.restart();
    const onText = request.response === undefined ? text.add : undefined;
    const result = await provider.chat(request, signal, onText);
    text.end();
    failPoint('called');
    bill.addAnswer(result);
    if (result.misreport) notice(context, misreports[result.misreport](provider.name), true);
    return result;
  } catch (thrown) {
    const error = isTimeUp(signal) ? timedOut(provider.name, limits.modelTimeoutMs) : thrown;
    bill.addFailure(error);
    text.restart();
    throw error;
  }
}

const misreports = {
  invalid: (provider: string) =>
    `${provider} reported a number of tokens that can't be true: tokens and cost are estimated from the texts instead.`,
  too_large: (provider: string) =>
    `${provider} reported far more tokens than the call could use: its maximum counts instead.`,
};

const isTimeUp = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof Error && reason.name === 'TimeoutError';

const timedOut = (provider: string, ms: number) =>
  new ProviderError(provider, `It gave no answer within ${ms} ms (CAPSTAN_MODEL_TIMEOUT_SEC).`, {
    problem: 'timeout',
    retryable: true,
  });

/** A failed try may have cost money: the retry is reserved in addition. @throws The failure if that exceeds a limit. */
function reserveAgain(
  { bound, reservation }: ChatCall,
  started: IntentRecord,
  bill: Bill,
  failed: ProviderError,
): void {
  const { microUsd, usage } = bill.total();
  const used = usage.input_tokens + usage.output_tokens;
  if (reservation === undefined || (microUsd === 0 && used === 0)) return;
  const total = { microUsd: bound.microUsd + microUsd, tokens: bound.tokens + used };
  const intent = { ...started, reservedMicroUsd: total.microUsd, reservedTokens: total.tokens };
  const { payment } = reservation;
  const again: Payment = { ...payment, intent, bound: total };
  if (!saveIfItFits(again)) throw new NoMoreTries(failed, again);
}

/** A failure after which a budget does not allow another try. */
class NoMoreTries extends ProviderError {
  readonly refused: ChatOutcome['refused'];

  constructor(failed: ProviderError, again: Payment) {
    const message = `${failed.message} The budget does not allow another try.`;
    super(failed.provider, message, { ...failed, retryable: false });
    const facts = gatherSpendFacts(again, () => true);
    const rule = passesTokens(facts) ? 'token_budget' : (passedLimit(facts)?.rule ?? null);
    this.refused = { rule, facts: toStoredChatFacts(facts) };
  }
}

/** Emits how a model call ended. If the provider is out of service, the run parks. */
export function reportChat(
  { model, context: { parts, scope } }: ChatCall,
  ended: IntentRecord,
  { outcome, startedMs, failure }: Performed<ChatOutcome>,
): void {
  const { estimated } = outcome;
  parts.events.emit({
    type: 'model.answered',
    ...aboutIntent(ended),
    provider: parts.provider.name,
    model,
    ok: outcome.error === undefined,
    message: outcome.error?.message ?? null,
    input_tokens: ended.inputTokens,
    ...(ended.cachedInputTokens > 0 && { cached_input_tokens: ended.cachedInputTokens }),
    output_tokens: ended.outputTokens - (estimated?.tokens ?? 0),
    cost_usd: ended.costMicroUsd / 1e6,
    ...(estimated && { estimated_cost_usd: estimated.micro_usd / 1e6 }),
    ...(estimated?.counted_tokens && { estimated_tokens: estimated.counted_tokens }),
    duration_ms: Math.round(performance.now() - startedMs),
  });
  if (failure?.isOutage) scope.parkForProvider?.(failure.message);
}

/** The external cause that ended a call, from the reason of the signal. */
const ends: ReadonlyMap<unknown, string> = new Map([
  ['deadline', 'The time limit of the run was over before the model answered.'],
  ['cancelled', 'The run was cancelled before the model answered.'],
  ['interrupted', 'The run was interrupted before the model answered.'],
]);

function wireError(thrown: unknown, { context }: ChatCall): WireError {
  const { scope, parts } = context;
  const ended = scope.ending.aborted ? ends.get(scope.ending.reason) : undefined;
  if (ended !== undefined) return { code: 'PROVIDER_FAILED', message: ended };
  if (thrown instanceof ProviderError && thrown.problem === 'needs_model') {
    return { code: 'MODEL_NEEDED', message: thrown.message };
  }
  return { code: 'PROVIDER_FAILED', message: `${parts.provider.name}: ${messageOf(thrown)}` };
}
