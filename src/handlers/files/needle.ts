import { TaskError } from '../../../offline/task-error.ts';
import type { Filled } from '../instruction/form.ts';
import { wordLetter } from '../instruction/letters.ts';

/** What lines are searched for, as a regular expression and in words. */
export interface Needle {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly shown: string;
}

/** How forms spell a text to look for: quoted, ticked, `/pattern/`, or one bare word. */
export const needleForm = `(?:(?:word|text|string|phrase|pattern|regex|regular expression|term) )?(?:(?<needle>«[qcp]\\d+»)|(?<bare>(?:${wordLetter}|[@#$%:.!?+=-])+))`;
/** How forms spell that letter case does not matter. */
export const caseForm =
  '(?<nocase>,? ?\\(?(?:ignoring|ignore|regardless of) (?:letter )?case\\)?|,? ?\\(?case[- ]insensitiv(?:e|ely)\\)?)?';

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words that are no text to look for but say more about the search than a form knows. */
const vague =
  /^(?:errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

/**
 * The needle of a filled form. A bare word must look like one that is written in files.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be meant as a notion.
 */
export function needleOf(filled: Filled): Needle {
  const atom = filled.atom('needle');
  const ignoreCase = filled.word('nocase') !== undefined;
  const line = filled.word('line')?.toLowerCase();
  const place = (pattern: string) =>
    line === 'start' || line === 'begin' ? `^${pattern}` : line === 'end' ? `${pattern}$` : pattern;
  if (atom !== undefined) {
    const pattern =
      atom.kind === 'pattern' || /regex|regular|pattern/i.test(filled.instruction.line)
        ? atom.value
        : escaped(atom.value);
    return {
      pattern: place(pattern),
      ignoreCase,
      shown: `"${atom.value}"`,
    };
  }
  const bare = filled.word('bare') ?? '';
  if (bare === '' || (vague.test(bare) && bare === bare.toLowerCase() && !ignoreCase)) {
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `It is not clear which text to look for: put "${bare}" in quotes if it is that text.`,
    );
  }
  return { pattern: place(escaped(bare)), ignoreCase, shown: `"${bare}"` };
}
