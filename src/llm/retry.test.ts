import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderProblem } from './provider.ts';
import { type RetryOptions, withRetries } from './retry.ts';

const failure = (
  changes: { retryable?: boolean; retryAfterMs?: number; problem?: ProviderProblem } = {},
) => new ProviderError('openai', 'no', { problem: 'rate_limit', retryable: true, ...changes });

/** Calls a function that fails as told, and says how often it was called and how long was waited. */
async function run(failures: readonly Error[], options: Partial<RetryOptions> = {}) {
  const waits: number[] = [];
  let calls = 0;
  const outcome = await withRetries(
    async (attempt) => {
      calls += 1;
      expect(attempt).toBe(calls);
      const error = failures[calls - 1];
      if (error !== undefined) throw error;
      return 'answer';
    },
    {
      signal: new AbortController().signal,
      random: () => 0.5,
      now: () => 1_000,
      sleep: async (ms) => waits.push(ms),
      ...options,
    },
  ).catch((error: unknown) => error);
  return { outcome, calls, waits };
}

describe('withRetries', () => {
  it('doubles the ceiling of its jitter', async () => {
    const result = await run([failure(), failure(), failure()], { maxAttempts: 4 });
    expect(result).toEqual({ outcome: 'answer', calls: 4, waits: [250, 500, 1_000] });
  });

  it('waits at least as long as the vendor asks', async () => {
    const { waits } = await run([failure({ retryAfterMs: 3_000 })]);
    expect(waits).toEqual([3_063]);
  });

  it.each([
    ['an error that stays', [failure({ retryable: false })], {}],
    ['an error that is not a provider’s', [new Error('bug')], {}],
    ['a vendor that asks for too long', [failure({ retryAfterMs: 61_000 })], {}],
    ['a wait past the deadline', [failure({ retryAfterMs: 500 })], { deadlineMs: 1_400 }],
    ['the last attempt', [failure()], { maxAttempts: 1 }],
  ])('gives up at once for %s', async (_why, failures, options) => {
    const { outcome, calls, waits } = await run(failures, options);
    expect(outcome).toBe(failures[0]);
    expect([calls, waits]).toEqual([1, []]);
  });

  it('tries once more after a timeout', async () => {
    const late = failure({ problem: 'timeout' });
    const { outcome, calls } = await run([late, late, late]);
    expect([outcome, calls]).toEqual([late, 2]);
    expect(await run([late])).toMatchObject({ outcome: 'answer', calls: 2 });
  });

  it('ends its wait with the reason when it is aborted', async () => {
    const stop = new AbortController();
    const call = withRetries(() => Promise.reject(failure({ retryAfterMs: 50_000 })), {
      signal: stop.signal,
      onRetry: () => setTimeout(() => stop.abort(new Error('enough')), 5),
    });
    await expect(call).rejects.toThrow('enough');
  });

  it('tells what it is going to do', async () => {
    const told: unknown[] = [];
    const error = failure();
    await run([error], { onRetry: (retry) => told.push(retry) });
    expect(told).toEqual([{ attempt: 1, waitMs: 250, error }]);
  });
});
