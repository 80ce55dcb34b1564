import { describe, expect, it } from 'vitest';
import {
  afterApprovedSuccess,
  afterDenial,
  afterFailure,
  afterSuccess,
  isSampled,
  NEW_TRUST,
  nextLevelOf,
  type TrustState,
} from './trust.ts';

type Step = (state: TrustState) => TrustState;
const repeat = (step: Step, times: number, from: TrustState = NEW_TRUST): TrustState =>
  Array.from({ length: times }).reduce<TrustState>(step, from);
const sampling = repeat(afterApprovedSuccess, 20);
const autonomous = repeat(afterApprovedSuccess, 50);

describe('trust', () => {
  it.each([
    [0, 'supervised'],
    [19, 'supervised'],
    [20, 'sampling'],
    [49, 'sampling'],
    [50, 'autonomous'],
    [500, 'autonomous'],
  ])('after %i approved successes is %s', (times, level) => {
    expect(repeat(afterApprovedSuccess, times).level).toBe(level);
  });

  it('wants 95 of 100 to have been approved', () => {
    const denied = afterDenial(NEW_TRUST);
    expect(repeat(afterApprovedSuccess, 19, denied).level).toBe('supervised');
    expect(repeat(afterApprovedSuccess, 20, denied).level).toBe('sampling');
    const twice = repeat(afterDenial, 2);
    expect(repeat(afterApprovedSuccess, 37, twice).level).toBe('supervised');
    expect(repeat(afterApprovedSuccess, 38, twice).level).toBe('sampling');
  });

  it.each([
    ['sampling', sampling, 'supervised'],
    ['autonomous', autonomous, 'sampling'],
    ['supervised', NEW_TRUST, 'supervised'],
  ] as const)(
    'falls by one level from %s at a denial or three failures in a row',
    (_what, from, to) => {
      expect(afterDenial(from).level).toBe(to);
      expect(repeat(afterFailure, 2, from).level).toBe(from.level);
      expect(repeat(afterFailure, 3, from).level).toBe(to);
      expect(repeat(afterFailure, 3, from).failuresInARow).toBe(0);
    },
  );

  it('counts failures in a row only', () => {
    const twice = repeat(afterFailure, 2, autonomous);
    expect(afterFailure(afterSuccess(twice)).level).toBe('autonomous');
    expect(afterFailure(afterApprovedSuccess(twice)).level).toBe('autonomous');
    expect(afterFailure(twice).level).toBe('sampling');
  });

  it('must be earned again after a step back', () => {
    const back = repeat(afterFailure, 3, autonomous);
    expect(afterApprovedSuccess(back).level).toBe('sampling');
    expect(repeat(afterApprovedSuccess, 29, back).level).toBe('sampling');
    expect(repeat(afterApprovedSuccess, 30, back).level).toBe('autonomous');
    const ground = repeat(afterFailure, 3, repeat(afterApprovedSuccess, 49));
    expect(repeat(afterApprovedSuccess, 19, ground).level).toBe('supervised');
    expect(repeat(afterApprovedSuccess, 20, ground).level).toBe('sampling');
  });

  it('does not grow by what no person approved', () => {
    expect(repeat(afterSuccess, 1_000)).toEqual(NEW_TRUST);
  });

  it('never rises by more than one level', () => {
    let state: TrustState = { ...NEW_TRUST, approved: 400 };
    state = afterApprovedSuccess(state);
    expect(state.level).toBe('sampling');
    expect(afterApprovedSuccess(state).level).toBe('autonomous');
  });

  it('states the missing approvals, and needs exactly these', () => {
    for (const denials of [0, 1, 2, 3, 5]) {
      const from = repeat(afterDenial, denials);
      const missing = nextLevelOf(from)?.approvals ?? 0;
      expect(repeat(afterApprovedSuccess, missing - 1, from).level).toBe('supervised');
      expect(repeat(afterApprovedSuccess, missing, from).level).toBe('sampling');
    }
    expect(nextLevelOf(sampling)).toEqual({ level: 'autonomous', approvals: 30 });
    expect(nextLevelOf(autonomous)).toBeNull();
  });
});

describe('the draw of one in ten', () => {
  it('falls on about one in ten, and depends on seed, request and ordinal', () => {
    const draws = (seed: string, hash: string) =>
      Array.from({ length: 10_000 }, (_, ordinal) => isSampled(seed, hash, ordinal));
    const one = draws('seed', 'hash');
    const count = one.filter(Boolean).length;
    expect(count).toBeGreaterThan(900);
    expect(count).toBeLessThan(1_100);
    expect(draws('seed', 'hash')).toEqual(one);
    expect(draws('other', 'hash')).not.toEqual(one);
    expect(draws('seed', 'other')).not.toEqual(one);
  });

  it("can't be confused by moving text from one part to the next", () => {
    const of = (seed: string, hash: string) =>
      Array.from({ length: 200 }, (_, ordinal) => isSampled(seed, hash, ordinal));
    expect(of('ab', 'c')).not.toEqual(of('a', 'bc'));
  });
});
