import { describe, expect, it } from 'vitest';
import { ProviderError, type ProviderProblem } from '../provider.ts';
import { type RetryOptions, withRetries } from './retry.ts';

const failure = (
  changes: { retryable?: boolean; retryAfterMs?: number; problem?: ProviderProblem } = {},
) => new ProviderError('openai', 'no', { problem: 'rate_limit', retryable: true, ...changes });

/** Calls a function that fails as specified, and returns the number of calls and the waiting time. */
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

/** A clock that only advances during waits, and the waits. */
function clock() {
  let nowMs = 1_000;
  const sleep = async (ms: number) => {
    nowMs += ms;
  };
  return { now: () => nowMs, sleep, tick: (ms: number) => sleep(ms) };
}

describe('withRetries', () => {
  it('doubles the ceiling of its jitter', async () => {
    const result = await run([failure(), failure(), failure()]);
    expect(result).toEqual({ outcome: 'answer', calls: 4, waits: [250, 500, 1_000] });
  });

  it('waits at least as long as the vendor asks', async () => {
    const { waits } = await run([failure({ retryAfterMs: 3_000 })]);
    expect(waits).toEqual([3_063]);
  });

  it.each([
    ['an error that stays', [failure({ retryable: false })], {}],
    ['an error that is not a provider’s', [new Error('bug')], {}],
    ['a vendor that asks for longer than is left', [failure({ retryAfterMs: 61_000 })], {}],
    ['no time for retries', [failure()], { maxMs: 0 }],
  ])('gives up immediately for %s', async (_why, failures, options) => {
    const { outcome, calls, waits } = await run(failures, options);
    expect(outcome).toBe(failures[0]);
    expect([calls, waits]).toEqual([1, []]);
  });

  it.each(['rate_limit', 'overloaded', 'network', 'server'] as const)(
    'retries for 60 seconds after the first failure, of any kind: %s',
    async (problem) => {
      const { now, sleep, tick } = clock();
      const starts: number[] = [];
      const call = withRetries(
        async () => {
          starts.push(now());
          await tick(100);
          throw failure({ problem });
        },
        { signal: new AbortController().signal, random: () => 0.5, now, sleep },
      );
      await expect(call).rejects.toMatchObject({ problem });
      expect(starts.at(-1)).toBe(61_100);
      expect(starts.length).toBeGreaterThan(6);
      expect(starts.length).toBeLessThan(15);
    },
  );

  it('waits for the end of the time when a vendor asks for just that', async () => {
    const { now, sleep } = clock();
    const failures = [failure({ retryAfterMs: 60_000 }), failure()];
    const { outcome, calls } = await run(failures, { now, sleep });
    expect([outcome, calls]).toEqual([failures[1], 2]);
  });

  it.each([
    ['a timeout', 'timeout', 2],
    ['an answer that can’t be used', 'malformed', 3],
  ] as const)('tries a bounded number of times after %s', async (_what, problem, most) => {
    const late = failure({ problem });
    const { outcome, calls } = await run([late, late, late, late]);
    expect([outcome, calls]).toEqual([late, most]);
    expect(await run([late])).toMatchObject({ outcome: 'answer', calls: 2 });
  });

  it('tries once more after a timeout that came when the time was up', async () => {
    const late = failure({ problem: 'timeout' });
    expect(await run([late], { maxMs: 0 })).toMatchObject({ outcome: 'answer', calls: 2 });
  });

  it('ends its wait with the reason when it is aborted', async () => {
    const stop = new AbortController();
    const call = withRetries(() => Promise.reject(failure({ retryAfterMs: 50_000 })), {
      signal: stop.signal,
      onRetry: () => setTimeout(() => stop.abort(new Error('enough')), 5),
    });
    await expect(call).rejects.toThrow('enough');
  });

  it('reports what it is going to do', async () => {
    const told: unknown[] = [];
    const error = failure();
    await run([error], { onRetry: (retry) => told.push(retry) });
    expect(told).toEqual([{ attempt: 1, waitMs: 250, error }]);
  });
});
