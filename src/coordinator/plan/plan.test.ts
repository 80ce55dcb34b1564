import { describe, expect, it } from 'vitest';
import { planProblem, type Step } from './plan.ts';

const step = (id: string, ...depends_on: string[]): Step => ({
  id,
  description: id,
  depends_on,
  writes: [],
  needs: [],
});

describe('planProblem', () => {
  it.each([
    [
      'accepts a diamond',
      [step('a'), step('b', 'a'), step('c', 'a'), step('d', 'b', 'c')],
      undefined,
    ],
    ['accepts a step of an earlier phase as a need', [step('b', 'found')], undefined],
    ['refuses an empty plan', [], 'it has no step'],
    [
      'refuses a need that does not exist',
      [step('a', 'x')],
      '"a" depends on "x", which does not exist',
    ],
    [
      'refuses a circle',
      [step('a', 'b'), step('b', 'a'), step('c')],
      'these steps depend on each other: a, b',
    ],
    [
      'refuses a step that waits for itself',
      [step('a', 'a')],
      'these steps depend on each other: a',
    ],
    ['refuses an id that is used twice', [step('a'), step('a')], 'the id "a" is used twice'],
    ['refuses the id of an earlier step', [step('found')], 'the id "found" is used twice'],
  ])('%s', (_behaviour, steps, problem) => {
    expect(planProblem(steps, ['found'], 10)).toBe(problem);
  });

  it('refuses more steps than are allowed, rather than dropping some', () => {
    const steps = Array.from({ length: 4 }, (_, index) => step(`s${index}`));
    expect(planProblem(steps, [], 3)).toBe(
      'it has 4 steps, and 3 are allowed in a phase (CAPSTAN_MAX_SUBTASKS)',
    );
  });
});
