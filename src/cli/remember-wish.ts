import type { Approval, RememberWish } from '../contract/approval.ts';
import { AppError } from '../contract/errors.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import { exactPattern, patternProblem } from '../policy/answer-pattern.ts';
import { canRemember } from './can-remember.ts';
import { momentOf } from './moment.ts';

/** What a person says about the next times, as it was typed. */
export interface RememberWords {
  /** `run` or `capsule`; undefined: this once. */
  readonly scope?: string | undefined;
  /** Default: this very request. */
  readonly pattern?: string | undefined;
  /** `2027-01-31`, `7d`. Default: without an end. */
  readonly until?: string | undefined;
  /** Default: as often as it comes. */
  readonly times?: string | undefined;
}

type Question = Pick<Approval, 'isForced' | 'kind' | 'operation' | 'requestHash'>;

/**
 * What is to be remembered; undefined where it is this once.
 *
 * @throws AppError `USAGE`, naming the word and what it may be.
 */
export function rememberWishOf(
  { scope, pattern, until, times }: RememberWords,
  question: Question,
  now: Date,
): RememberWish | undefined {
  if (scope === undefined) {
    const alone = Object.entries({ pattern, until, times }).find(
      ([, value]) => value !== undefined,
    );
    if (alone)
      throw usage(
        `--${alone[0]} says how long an answer is remembered: add --remember run or capsule.`,
      );
    return undefined;
  }
  if (scope !== 'run' && scope !== 'capsule') {
    throw usage(
      `--remember is "${escapeText(scope)}". Write run (until this run ends) or capsule.`,
    );
  }
  if (!canRemember(question)) {
    throw usage('This question is answered anew each time: it takes no --remember.');
  }
  return {
    scope,
    pattern: patternOf(pattern, question),
    expiresAt: until === undefined ? null : endOf(until, now),
    mostUses: times === undefined ? null : timesOf(times),
  };
}

function patternOf(pattern: string | undefined, { operation, requestHash }: Question): string {
  if (pattern === undefined) return exactPattern(requestHash);
  const problem = patternProblem(pattern, operation);
  if (problem) throw usage(`--pattern: ${escapeText(problem)}`);
  return pattern;
}

function endOf(until: string, now: Date): string {
  const end = momentOf(until, now, 'future');
  if (!end) {
    throw usage(
      `--until is "${escapeText(until)}". Write a day (2027-01-31, its end counts), a time (2027-01-31T12:00Z), or 12h, 7d, 4w.`,
    );
  }
  if (end <= now) throw usage(`--until is "${escapeText(until)}": that is over.`);
  return end.toISOString();
}

const MOST_TIMES = 1_000_000;

function timesOf(times: string): number {
  const count = Number(times);
  if (/^\d+$/.test(times.trim()) && count >= 1 && count <= MOST_TIMES) return count;
  throw usage(`--times is "${escapeText(times)}". Write a whole number from 1 to ${MOST_TIMES}.`);
}

const usage = (problem: string): AppError => new AppError('USAGE', { problem });
