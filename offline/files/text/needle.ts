import type { Filled } from '../../phrases/form.ts';
import { TaskError } from '../../task-error.ts';

/** What lines are searched for, as a regular expression and in words. */
export interface Needle {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly shown: string;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words that are no text to look for but say more about the search than a form knows. */
const vague =
  /^(?:errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

/**
 * The needle of a filled form; `line` says where in a line it stands. A bare word must look like one that is written in files.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be meant as a notion.
 */
export function needleOf(filled: Filled): Needle {
  const ignoreCase = filled.word('nocase') !== undefined;
  const [quoted] = filled.tokens('needle');
  const text = quoted?.text ?? filled.text('bare') ?? '';
  if (
    quoted === undefined &&
    (vague.test(text) || text === '') &&
    !isInCapitals(text) &&
    !ignoreCase
  )
    throw new TaskError(
      'NOT_UNDERSTOOD',
      `It is not clear which text to look for: put "${text}" in quotes if it is that text.`,
    );
  const isPattern = quoted?.kind === 'pattern' || filled.word('isPattern') !== undefined;
  const pattern = isPattern ? text : escaped(text);
  return { pattern: placed(pattern, filled.word('line')), ignoreCase, shown: `"${text}"` };
}

export const isInCapitals = (text: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(text);

function placed(pattern: string, line: string | undefined): string {
  if (line === undefined) return pattern;
  return line.startsWith('end') ? `${pattern}$` : `^${pattern}`;
}
