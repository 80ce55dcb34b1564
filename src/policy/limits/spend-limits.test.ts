import { describe, expect, it } from 'vitest';
import type { SpendFacts } from '../decide/chat-facts.ts';
import { fitsLimits, passedLimit, raiseOf } from './spend-limits.ts';

const facts = (changes: Partial<SpendFacts> = {}): SpendFacts => ({
  estimateMicroUsd: 100,
  runSpentMicroUsd: 0,
  runBudgetMicroUsd: 1_000,
  daySpentMicroUsd: 0,
  dayBudgetMicroUsd: 10_000,
  runTokens: 0,
  runTokenBudget: undefined,
  ...changes,
});
const capsule = (budget: { runMicroUsd?: number; dayMicroUsd?: number }) => ({
  capsule: { budget, runSpentMicroUsd: 400, daySpentMicroUsd: 900 },
});

describe('limits of money', () => {
  it.each<[string, Partial<SpendFacts>, string | undefined]>([
    ['fit to the last micro-dollar', { runSpentMicroUsd: 900 }, undefined],
    ['are passed by one more', { runSpentMicroUsd: 901 }, 'run_budget'],
    ['hold for the day', { daySpentMicroUsd: 9_901 }, 'day_budget'],
    ['hold for a capsule in the run', capsule({ runMicroUsd: 499 }), 'capsule_run_budget'],
    ['hold for a capsule in the day', capsule({ dayMicroUsd: 999 }), 'capsule_day_budget'],
    ['let a capsule be that fits', capsule({ runMicroUsd: 500, dayMicroUsd: 1_000 }), undefined],
    ['let be what is free', { estimateMicroUsd: 0, runSpentMicroUsd: 5_000 }, undefined],
    ['hold of nothing too', { runBudgetMicroUsd: 0 }, 'run_budget'],
  ])('%s', (_behaviour, changes, rule) => {
    expect(passedLimit(facts(changes))?.rule).toBe(rule);
    expect(fitsLimits(facts(changes))).toBe(rule === undefined);
  });

  it.each([
    [950, 1_000, 100, 1_000],
    [950, 1_000, 1_051, 2_000],
    [0, 0, 100, 1_000_000],
    [1_000, 1_000, 0, 1_000],
  ])('with %i of %i spent and %i requested are raised by %i', (spent, budget, estimate, raise) => {
    expect(raiseOf({ spent, budget }, { estimateMicroUsd: estimate })).toBe(raise);
  });
});
