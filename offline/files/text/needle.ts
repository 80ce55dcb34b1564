import type { Filled } from '../../phrases/form.ts';
import { TaskError } from '../../task-error.ts';

/** The text to find, as a regular expression and in words. */
export interface Needle {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly shown: string;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Words that describe a search in a way that no form knows, so they are not the text to find. */
const vague =
  /^(?:errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

/**
 * The needle of a filled form; `line` is its position in a line. A bare word must look like text in a file.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be a description.
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
