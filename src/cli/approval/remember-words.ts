import type { RememberRequest } from '../../app/approvals/remember-terms.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { usage } from '../../contract/usage.ts';
import { numberOption } from '../options/standard-options.ts';
import { momentOf } from '../text/moment.ts';

/** The options for remembering an answer, as typed. `scope`: `run` or `capsule`; default: it is not remembered. */
type RememberWords = {
  readonly [Name in 'scope' | 'pattern' | 'until' | 'times']?: string | undefined;
};

/** Parses the options; undefined if the answer is not to be remembered. @throws AppError `USAGE`. */
export function rememberRequestOf(words: RememberWords, now: Date): RememberRequest | undefined {
  const { scope, pattern, until, times } = words;
  if (scope === undefined) {
    const others = Object.entries({ pattern, until, times });
    const given = others.find(([, value]) => value !== undefined);
    if (given === undefined) return undefined;
    throw usage(`--${given[0]} needs --remember run or --remember capsule.`);
  }
  const shown = escapeText(scope);
  if (scope !== 'run' && scope !== 'capsule')
    throw usage(`--remember is "${shown}". Write run (until this run ends) or capsule.`);
  const uses = numberOption('--times', times, { min: 1, max: 1_000_000 });
  return { scope, pattern, until: until === undefined ? undefined : endOf(until, now), uses };
}

function endOf(until: string, now: Date): string {
  const end = momentOf(until, now, 'future');
  if (end && end > now) return end.toISOString();
  const problem = end
    ? ', which is in the past.'
    : '. Write a day (2027-01-31, its end counts), a time (2027-01-31T12:00Z), or 12h, 7d, 4w.';
  throw usage(`--until is "${escapeText(until)}"${problem}`);
}
