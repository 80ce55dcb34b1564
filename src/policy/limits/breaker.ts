/** How the calls of one model at one provider have fared lately. Times in milliseconds since the epoch. */
export interface Breaker {
  /** Technical failures in a row. */
  readonly failures: number;
  /** Undefined: it is closed, and calls go through. */
  readonly openedAtMs: number | undefined;
  /** Until when the process that tries has the right to; undefined if none tries. */
  readonly probeUntilMs: number | undefined;
}

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it rests before one call tries again. */
  readonly restMs: number;
}

export const CLOSED: Breaker = { failures: 0, openedAtMs: undefined, probeUntilMs: undefined };

export type BreakerState =
  | { readonly kind: 'closed' }
  /** It rests, or another call is trying: nothing goes through for so long. */
  | { readonly kind: 'open'; readonly restMs: number }
  /** It has rested: one call may try. */
  | { readonly kind: 'half_open' };

/** Whether calls go through now. */
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

/** The try failed: it rests again. A call that was under way when it opened changes nothing. */
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
 * What counts: the provider could not be reached, gave no answer in time, an error of its own (5xx), an answer that
 * can't be read, or too many requests (429) after all retries. What the caller has to mend (400, 401, 403, 404, 413, a
 * spent quota) shows a provider that works, and counts neither way.
 *
 * @param failure As `ProviderError` has it.
 */
export function isTechnicalFailure({
  problem,
  status,
}: {
  readonly problem: string;
  readonly status: number | undefined;
}): boolean {
  if (problem === 'malformed') return status === undefined || status >= 500;
  return technical.has(problem);
}

const technical: ReadonlySet<string> = new Set([
  'network',
  'timeout',
  'server',
  'overloaded',
  'rate_limit',
]);
