import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  type Breaker,
  breakerStateAt,
  CLOSED,
  isTechnicalFailure,
} from './breaker.ts';

const limits = { failures: 3, restMs: 1_000 };
const open = (changes: Partial<Breaker> = {}): Breaker => ({
  failures: 3,
  openedAtMs: 10_000,
  probeUntilMs: undefined,
  ...changes,
});

describe('a breaker', () => {
  it.each<[string, Breaker, number, string, number?]>([
    ['lets calls through while it is closed', CLOSED, 10_000, 'closed'],
    ['lets calls through after fewer failures', { ...CLOSED, failures: 2 }, 10_000, 'closed'],
    ['rests once it is open', open(), 10_000, 'open', 1_000],
    ['rests to the last millisecond', open(), 10_999, 'open', 1],
    ['lets one call try after its rest', open(), 11_000, 'half_open'],
    ['keeps the others out while one tries', open({ probeUntilMs: 12_500 }), 12_000, 'open', 500],
    [
      'lets another try when the first never came back',
      open({ probeUntilMs: 12_000 }),
      12_000,
      'half_open',
    ],
  ])('%s', (_behaviour, breaker, nowMs, kind, restMs) => {
    expect(breakerStateAt(breaker, nowMs, limits)).toEqual(
      restMs === undefined ? { kind } : { kind, restMs },
    );
  });

  it('opens with the last of the failures in a row, and not before', () => {
    const failing = { isProbe: false, nowMs: 5, limits };
    const second = afterFailure(afterFailure(CLOSED, failing), failing);
    expect(second).toEqual({ ...CLOSED, failures: 2 });
    expect(afterFailure(second, failing)).toEqual({ ...CLOSED, failures: 3, openedAtMs: 5 });
  });

  it('pauses again if the probe has failed', () => {
    const tried = open({ probeUntilMs: 99_000 });
    expect(afterFailure(tried, { isProbe: true, nowMs: 20_000, limits })).toEqual({
      failures: 4,
      openedAtMs: 20_000,
      probeUntilMs: undefined,
    });
  });

  it('does not pause longer for calls that were in progress when it opened', () => {
    expect(afterFailure(open(), { isProbe: false, nowMs: 10_500, limits })).toEqual(open());
  });
});

describe('what counts as a technical failure', () => {
  it.each([
    ['network', undefined],
    ['timeout', undefined],
    ['timeout', 504],
    ['server', 500],
    ['overloaded', 529],
    ['rate_limit', 429],
    ['malformed', undefined],
  ])('is %s (%s)', (problem, status) => {
    expect(isTechnicalFailure({ problem, status })).toBe(true);
  });

  it.each([
    ['bad_request', 400],
    ['auth', 401],
    ['auth', 403],
    ['not_found', 404],
    ['too_large', 413],
    ['quota', 402],
    ['quota', 429],
    ['malformed', 400],
    ['needs_model', undefined],
  ])('is not %s (%s), which the caller has to fix', (problem, status) => {
    expect(isTechnicalFailure({ problem, status })).toBe(false);
  });
});
