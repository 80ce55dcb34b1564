import type { RememberRequest } from '../../app/approvals/remember-terms.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { momentOf } from '../text/moment.ts';

/** The options for remembering an answer, as typed. */
export interface RememberWords {
  /** `run` or `capsule`. Default: the answer is not remembered. */
  readonly scope?: string | undefined;
  readonly pattern?: string | undefined;
  /** `2027-01-31`, `7d`. */
  readonly until?: string | undefined;
  readonly times?: string | undefined;
}

/**
 * Parses the options; undefined if the answer is not to be remembered.
 *
 * @throws AppError `USAGE`, naming the option and its valid values.
 */
export function rememberRequestOf(
  { scope, pattern, until, times }: RememberWords,
  now: Date,
): RememberRequest | undefined {
  if (scope === undefined) {
    const [name] =
      Object.entries({ pattern, until, times }).find(([, value]) => value !== undefined) ?? [];
    if (name === undefined) return undefined;
    throw usage(`--${name} needs --remember run or --remember capsule.`);
  }
  if (scope !== 'run' && scope !== 'capsule') {
    throw usage(
      `--remember is "${escapeText(scope)}". Write run (until this run ends) or capsule.`,
    );
  }
  return {
    scope,
    pattern,
    until: until === undefined ? undefined : endOf(until, now),
    uses: times === undefined ? undefined : usesOf(times),
  };
}

function endOf(until: string, now: Date): string {
  const end = momentOf(until, now, 'future');
  if (end && end > now) return end.toISOString();
  if (end) throw usage(`--until is "${escapeText(until)}", which is in the past.`);
  throw usage(
    `--until is "${escapeText(until)}". Write a day (2027-01-31, its end counts), a time (2027-01-31T12:00Z), or 12h, 7d, 4w.`,
  );
}

function usesOf(times: string): number {
  if (/^[1-9]\d{0,6}$/.test(times.trim())) return Number(times);
  throw usage(`--times is "${escapeText(times)}". Write a whole number from 1 to 1000000.`);
}

const usage = (problem: string): AppError => new AppError('USAGE', { problem });
