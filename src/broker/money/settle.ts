import type { IntentRecord } from '../../contract/intent.ts';
import type { Usage } from '../../contract/wire/chat.ts';
import type { Quote } from '../../llm/prices/prices.ts';
import { type ChatResult, type CountedUsage, ProviderError } from '../../llm/provider.ts';
import { codeOf } from '../../platform/try-or.ts';
import { isTechnicalFailure } from '../../policy/limits/breaker.ts';
import type { Estimate } from '../intent/record.ts';
import { breakerKey, isCounted, type MoneyParts, type Payment } from './payment.ts';
import type { Reservation } from './reserve.ts';

/** The cost and usage of a call. */
export interface Cost {
  readonly microUsd: number;
  readonly usage: Usage;
}

export const NO_USAGE: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };

/** The cost of all tries of one call together. */
export type Bill = ReturnType<typeof openBill>;

/** An answer costs the vendor's token count times the price list; a failed try counts with its possible maximum, as an estimate. */
export function openBill(quote: Quote, bound: Payment['bound']) {
  let microUsd = 0;
  let total = NO_USAGE;
  let answered: Usage | undefined;
  const estimated = { micro_usd: 0, tokens: 0, counted_tokens: 0 };
  const add = (usage: CountedUsage) => {
    const cost = quote.costMicroUsd(usage);
    microUsd += cost;
    total = {
      input_tokens: total.input_tokens + usage.input_tokens,
      cached_input_tokens: total.cached_input_tokens + usage.cached_input_tokens,
      output_tokens: total.output_tokens + usage.output_tokens,
    };
    return cost;
  };
  return {
    addAnswer({
      usage: { cache_write_tokens, ...usage },
      isEstimated,
    }: Pick<ChatResult, 'usage' | 'isEstimated'>): void {
      answered = usage;
      const cost = add({ ...usage, ...(cache_write_tokens && { cache_write_tokens }) });
      if (!isEstimated) return;
      estimated.micro_usd += cost;
      estimated.counted_tokens += usage.input_tokens + usage.output_tokens;
    },
    addFailure(error: unknown): void {
      const usage = error instanceof ProviderError ? error.usage : undefined;
      if (usage) add(usage);
      else if (!wasCertainlyFree(error)) {
        microUsd += bound.microUsd;
        total = { ...total, output_tokens: total.output_tokens + bound.tokens };
        estimated.micro_usd += bound.microUsd;
        estimated.tokens += bound.tokens;
      }
    },
    total: (): Cost => ({ microUsd, usage: total }),
    /** Usage of the try that was answered; undefined if none was. */
    answered: (): Usage | undefined => answered,
    /** The part of the total that no vendor reported; undefined if all was reported. */
    estimated: (): Estimate | undefined =>
      Object.values(estimated).some((part) => part > 0) ? estimated : undefined,
  };
}

/**
 * Whether a failed try certainly cost nothing: it never reached the vendor, or the vendor rejected it. A broken
 * connection, an incomplete response and a timeout may have been paid for, and count in full.
 */
function wasCertainlyFree(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  if (error.problem === 'needs_model' || error.problem === 'bad_request') return true;
  if (error.problem === 'timeout') return false;
  if (error.problem === 'network') return neverSent(error);
  return error.status !== undefined && error.status >= 300;
}

/** Whether an error means that no connection was made. */
export const neverSent = (error: unknown): boolean =>
  error instanceof Error && beforeSending.has(codeOf(error.cause) ?? '');

const beforeSending: ReadonlySet<string> = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '),
);

/** The columns of an intent after its reservation was replaced by its cost. */
export function settledColumns(
  { costMicroUsd, inputTokens, cachedInputTokens, outputTokens }: IntentRecord,
  { microUsd, usage }: Cost,
) {
  return {
    reservedMicroUsd: 0,
    reservedTokens: 0,
    costMicroUsd: costMicroUsd + microUsd,
    inputTokens: inputTokens + usage.input_tokens,
    cachedInputTokens: cachedInputTokens + usage.cached_input_tokens,
    outputTokens: outputTokens + usage.output_tokens,
  };
}

/** How a call failed, from the payee's point of view. */
export interface PayeeFailure {
  readonly message: string;
  readonly isTechnical: boolean;
  /** Whether the payee can't be reached or used at the moment, so that the run parks. Default: false. */
  readonly isOutage?: boolean;
}

/**
 * The effect of a call on the breaker of its payee: `write` is called in the transaction that ends the intent, `report`
 * after it. Undefined if the breaker stays as it is, or there is none.
 */
export function breakerUpdate(
  { payment, isProbe }: Reservation,
  failed: PayeeFailure | undefined,
): { write(): void; report(): void } | undefined {
  const { parts, scope, intent, payee } = payment;
  const { breakers } = parts;
  const key = breakerKey(payment);
  if (!payee.isGuarded || (failed === undefined && breakers.isClean(key))) return undefined;
  const failure = parts.redactor.redact(failed);
  if (failure && !failure.isTechnical && !isProbe) return undefined;
  let changed: 'opened' | 'closed' | undefined;
  return {
    write() {
      if (failure === undefined) changed = breakers.succeed(key) ? 'closed' : undefined;
      else if (!failure.isTechnical) breakers.returnProbe(key);
      else if (breakers.fail(key, { isProbe, problem: failure.message })) changed = 'opened';
      if (changed === undefined) return;
      const ref = `${key.provider}/${key.model}`;
      const detail = { by: intent.id };
      const runId = scope.run.id;
      parts.audit.append({ actor: 'policy', action: `breaker.${changed}`, runId, ref, detail });
    },
    report() {
      const about = { run_id: scope.run.id, ...key };
      if (changed === 'closed') parts.events.emit({ type: 'breaker.closed', ...about });
      if (changed !== 'opened') return;
      const state = breakers.stateOf(key);
      const rest_ms = state.kind === 'open' ? state.restMs : 0;
      const problem = failure?.message ?? '';
      parts.events.emit({ type: 'breaker.opened', ...about, problem, rest_ms });
    },
  };
}

/** A cancelled call does not count against the provider; a timeout does. */
export function countsAgainst(thrown: unknown, cancelled: AbortSignal): boolean {
  if (cancelled.aborted) return false;
  if (thrown instanceof ProviderError) return isTechnicalFailure(thrown);
  return thrown instanceof Error && thrown.name === 'TimeoutError';
}

/** Returns the probe of a call that is not made. May be called inside or outside a transaction. */
export function returnProbe(
  reservation: Reservation | undefined,
  { breakers }: Pick<MoneyParts, 'breakers'>,
): void {
  if (reservation?.isProbe) breakers.returnProbe(breakerKey(reservation.payment));
}

/** Warns once per run and limit, when 80 % of it is spent. A raised limit counts as a new limit. */
export function warnOfBudgets(payment: Payment): void {
  if (!isCounted(payment)) return;
  const { parts, scope, intent } = payment;
  const runId = scope.run.id;
  for (const near of parts.budget.nearlySpent(intent, scope.run.policy)) {
    const { rule, what, setting } = near;
    const unit = rule === 'token_budget' ? 'tokens' : 'usd';
    const amount = (value: number) => (unit === 'usd' ? value / 1e6 : value);
    const capsuleId = rule.startsWith('capsule') ? intent.capsuleId : null;
    const [used, limit] = [amount(near.spent), amount(near.budget)];
    if (parts.budget.wasWarned({ runId, rule, capsuleId, limit })) continue;
    const about = { run_id: runId, capsule_id: capsuleId };
    parts.events.emit({ type: 'budget.warned', ...about, rule, what, setting, unit, used, limit });
  }
}
