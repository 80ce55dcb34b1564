import { setTimeout as pause } from 'node:timers/promises';
import { ProviderError } from './provider.ts';

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Calls in all; after a timeout at most 2. Default 3. */
  readonly maxAttempts?: number;
  /** Upper bound of the first wait; it doubles with each. Default 500 ms. */
  readonly baseMs?: number;
  /** Upper bound of any wait of ours. Default 20 s. */
  readonly capMs?: number;
  /** Longest wait that a vendor may ask for; beyond it the call fails. Default 60 s. */
  readonly maxRetryAfterMs?: number;
  /** No wait goes past this moment of `now`. */
  readonly deadlineMs?: number | undefined;
  /** Told before each wait. */
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

const defaults = {
  maxAttempts: 3,
  baseMs: 500,
  capMs: 20_000,
  maxRetryAfterMs: 60_000,
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }),
};

/**
 * Calls again while the failure is one that may pass: full jitter, or as long as the vendor asks and a little more.
 * Gives up at once where the wait would be too long.
 *
 * @throws What the last call threw; the signal's reason when aborted.
 */
export async function withRetries<T>(
  call: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const settings = { ...defaults, ...options };
  for (let attempt = 1; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      return await call(attempt);
    } catch (error) {
      const waitMs = waitBefore(error, attempt, settings);
      if (waitMs === undefined) throw error;
      options.onRetry?.({ attempt, waitMs, error: error as ProviderError });
      await settings.sleep(waitMs, options.signal).catch((stopped: unknown) => {
        options.signal.throwIfAborted();
        throw stopped;
      });
    }
  }
}

type Settings = Required<
  Pick<RetryOptions, 'signal' | 'maxAttempts' | 'baseMs' | 'capMs' | 'maxRetryAfterMs' | 'now'>
> & { readonly random: () => number; readonly deadlineMs?: number | undefined };

/** How long to wait before the next call; undefined where there is none. */
function waitBefore(error: unknown, attempt: number, settings: Settings): number | undefined {
  if (!(error instanceof ProviderError) || !error.retryable) return undefined;
  const most = error.problem === 'timeout' ? 2 : settings.maxAttempts;
  if (attempt >= Math.min(most, settings.maxAttempts) || settings.signal.aborted) return undefined;
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > settings.maxRetryAfterMs) return undefined;
  const ceiling = Math.min(settings.capMs, settings.baseMs * 2 ** (attempt - 1));
  const jitter = settings.random() * ceiling;
  const waitMs = Math.ceil(asked === undefined ? jitter : asked + jitter / 4);
  const ends = settings.now() + waitMs;
  return settings.deadlineMs !== undefined && ends >= settings.deadlineMs ? undefined : waitMs;
}
