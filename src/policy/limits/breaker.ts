/** The recent outcomes of the calls of one model at one provider. Times in milliseconds since the epoch. */
export interface Breaker {
  /** Technical failures in a row. */
  readonly failures: number;
  /** Undefined: it is closed, and calls go through. */
  readonly openedAtMs: number | undefined;
  /** The end of the claim of the process that tries a call; undefined if none tries. */
  readonly probeUntilMs: number | undefined;
}

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it is open before one call may try again. */
  readonly restMs: number;
}

export const CLOSED: Breaker = { failures: 0, openedAtMs: undefined, probeUntilMs: undefined };

export type BreakerState =
  | { readonly kind: 'closed' }
  /** It is open, or another call is trying: no call goes through for this time. */
  | { readonly kind: 'open'; readonly restMs: number }
  /** The pause is over: one call may try. */
  | { readonly kind: 'half_open' };

/** Whether a call may go through now. */
export function breakerStateAt(
  { openedAtMs, probeUntilMs }: Breaker,
  nowMs: number,
  { restMs }: Pick<BreakerLimits, 'restMs'>,
): BreakerState {
  if (openedAtMs === undefined) return { kind: 'closed' };
  const left = openedAtMs + restMs - nowMs;
  if (left > 0) return { kind: 'open', restMs: left };
  if (probeUntilMs !== undefined && probeUntilMs > nowMs)
    return { kind: 'open', restMs: probeUntilMs - nowMs };
  return { kind: 'half_open' };
}

/** The try failed, so it is open again. A call that began before it opened changes nothing. */
export function afterFailure(
  breaker: Breaker,
  { isProbe, nowMs, limits }: { isProbe: boolean; nowMs: number; limits: BreakerLimits },
): Breaker {
  const isOpen = breaker.openedAtMs !== undefined;
  if (isOpen && !isProbe) return breaker;
  const failures = breaker.failures + 1;
  const opens = isOpen || failures >= limits.failures;
  return { failures, openedAtMs: opens ? nowMs : undefined, probeUntilMs: undefined };
}

/**
 * Failures that count: the provider could not be reached, did not answer in time, had an error of its own (5xx), sent an
 * unreadable answer, or refused too many requests (429) after all retries. Errors that the caller has to correct (400,
 * 401, 403, 404, 413, a used-up quota) come from a working provider and do not count.
 *
 * @param failure As `ProviderError` has it.
 */
export const isTechnicalFailure = (failure: {
  readonly problem: string;
  readonly status: number | undefined;
}): boolean =>
  failure.problem === 'malformed'
    ? (failure.status ?? 500) >= 500
    : ['network', 'timeout', 'server', 'overloaded', 'rate_limit'].includes(failure.problem);
