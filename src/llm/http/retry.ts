import { setTimeout as pause } from 'node:timers/promises';
import { ProviderError, type ProviderProblem } from '../provider.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** How long after the first failure the last try may start. Default 60 s. */
  readonly maxMs?: number;
  /** Called before each wait. */
  readonly onRetry?: (retry: {
    readonly attempt: number;
    readonly waitMs: number;
    readonly error: ProviderError;
  }) => void;
  /** A monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Upper bound of the first wait, which doubles with each, and of any wait unless the vendor asks for longer. */
const BASE_MS = 500;
const CAP_MS = 20_000;

const defaults = {
  maxMs: 60_000,
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }),
};

/** Maximum number of retries by kind of failure. Others are limited by time only. */
const maxFailures: { readonly [Problem in ProviderProblem]?: number } = {
  timeout: 1,
  malformed: 2,
};

/**
 * Retries transient failures with exponential backoff and full jitter, or after the delay that the vendor requests. Gives up immediately if the
 * vendor requests a longer delay than the remaining time. A timeout is retried once, regardless of the time.
 *
 * @throws The error of the last call; the signal's reason when aborted.
 */
export async function withRetries<T>(
  call: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const settings = { ...defaults, ...options };
  const failures: Failures = { firstMs: undefined, counts: new Map() };
  for (let attempt = 1; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      return await call(attempt);
    } catch (error) {
      const waitMs = waitAfter(error, failures, settings);
      if (waitMs === undefined) throw error;
      options.onRetry?.({ attempt, waitMs, error: error as ProviderError });
      await settings.sleep(waitMs, options.signal).catch((stopped: unknown) => {
        options.signal.throwIfAborted();
        throw stopped;
      });
    }
  }
}

type Settings = Omit<typeof defaults, 'sleep'> & Pick<RetryOptions, 'signal'>;

interface Failures {
  firstMs: number | undefined;
  readonly counts: Map<ProviderProblem, number>;
}

function waitAfter(error: unknown, failures: Failures, settings: Settings): number | undefined {
  if (!(error instanceof ProviderError) || !error.retryable || settings.signal.aborted) {
    return undefined;
  }
  const { problem, retryAfterMs: asked } = error;
  const nowMs = settings.now();
  failures.firstMs ??= nowMs;
  const count = (failures.counts.get(problem) ?? 0) + 1;
  failures.counts.set(problem, count);
  if (count > (maxFailures[problem] ?? Number.POSITIVE_INFINITY)) return undefined;
  const total = [...failures.counts.values()].reduce((sum, one) => sum + one, 0);
  const jitterMs = settings.random() * Math.min(CAP_MS, BASE_MS * 2 ** (total - 1));
  if (problem === 'timeout') return Math.ceil(jitterMs);
  const leftMs = failures.firstMs + settings.maxMs - nowMs;
  if (leftMs <= 0 || (asked !== undefined && asked > leftMs)) return undefined;
  const waitMs = asked === undefined ? jitterMs : Math.max(asked + jitterMs / 4, jitterMs);
  return Math.ceil(Math.min(waitMs, leftMs));
}
