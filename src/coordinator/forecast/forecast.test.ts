import { expect, it } from 'vitest';
import { forecastOf } from './forecast.ts';

const run = (cents: number, ...capsules: string[]) => ({
  costMicroUsd: cents * 10_000,
  durationMs: cents * 1_000,
  capsules,
});

it('is nothing from fewer than 3 runs that are alike', () => {
  expect(forecastOf(['a'], [run(1, 'a'), run(2, 'a'), run(9, 'a', 'b', 'c')], 1_000_000)).toEqual({
    cost_usd: null,
    duration_ms: null,
    runs: 2,
    cap_usd: 1,
  });
});

it('has the quartiles of runs with about as many steps', () => {
  const past = [run(10, 'x'), run(20, 'y', 'z'), run(30, 'x'), run(40, 'x'), run(50, 'x', 'y')];
  expect(forecastOf(['a'], past, 500_000)).toEqual({
    cost_usd: { low: 0.2, high: 0.4 },
    duration_ms: { low: 20_000, high: 40_000 },
    runs: 5,
    cap_usd: 0.5,
  });
});

it('counts runs with the same capsules, however many steps they have', () => {
  const long = run(10, 'a', 'a', 'a', 'a', 'a', 'a');
  expect(forecastOf(['a'], [long, long, long], 0).runs).toBe(3);
  expect(forecastOf(['b'], [long, long, long], 0).runs).toBe(0);
});
