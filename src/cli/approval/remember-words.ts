import { proposePattern } from '../../app/approvals/propose-pattern.ts';
import type { RememberRequest } from '../../app/approvals/remember-terms.ts';
import type { Approval } from '../../contract/approval.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { usage } from '../../contract/usage.ts';
import type { Prompt } from '../io/terminal-prompt.ts';
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

/** Asks for the terms of a remembered answer one by one. Undefined at the end of the input; `again` after another word. */
export async function typedTerms(
  approval: Approval,
  prompt: Prompt,
): Promise<RememberWords | undefined | 'again'> {
  const scope = (
    await prompt.read('  Scope? (run = until this run ends; capsule = also in its later runs) ')
  )?.trim();
  if (scope === undefined) return undefined;
  if (scope !== 'run' && scope !== 'capsule') return 'again';
  const proposal = proposePattern(approval);
  const questions = [
    `  Pattern? (Enter = ${proposal ?? 'only this request'}${proposal ? ', . = only this request' : ''}) `,
    '  Until? (2027-01-31, 7d; Enter = 30 days, or the end of the run) ',
    '  How many times? (Enter = no limit) ',
  ];
  const answers: string[] = [];
  for (const question of questions) {
    const line = await prompt.read(question);
    if (line === undefined) return undefined;
    answers.push(line.trim());
  }
  const [pattern, until, times] = answers;
  return {
    scope,
    pattern: pattern === '.' ? undefined : pattern || proposal,
    until: until || undefined,
    times: times || undefined,
  };
}
