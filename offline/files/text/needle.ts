import type { Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import type { Search } from './sources.ts';

/** The text to find, as a regular expression and in words. */
export interface Needle extends Search {
  readonly shown: string;
}

/** Words that describe a search in a way that no form knows, so they are not the text to find. */
const vague =
  /^(?:|errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|which|what|that|no|not|any|all)$/i;

const isInCapitals = (text: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(text);

/**
 * The needle of a step; `line` is its position in a line. A bare word must look like text in a file: `ERROR lines` contain
 * that word; `error lines` may mean anything.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a bare word that may be a description.
 */
export function needleOf(step: Step): Needle {
  const text = step.text('needle') || step.text('bare') || step.text('asName');
  // A word without quotes is meant in any letter case; what it deletes has it as a word.
  const isWord = !step.has('needle') && /^\p{Ll}+$/u.test(text);
  const ignoreCase = step.has('nocase') || isWord;
  const isVague = step.has('asName')
    ? !isInCapitals(text)
    : vague.test(text) && !isInCapitals(text);
  if (!step.has('needle') && isVague && !step.has('nocase')) {
    const how = `Put it in quotes if it is: Find the lines that contain "${text}" in …`;
    fail('NOT_UNDERSTOOD', `It is not clear whether "${text}" is the text to find. ${how}`);
  }
  const isPattern = step.tokens('needle')[0]?.kind === 'pattern' || step.has('isPattern');
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = `(?<![\\wÀ-ɏ])${literal}(?:e?s)?(?![\\wÀ-ɏ])`;
  const found = isPattern ? text : isWord && step.has('drop') ? word : literal;
  const [before, after] = step.word('line').startsWith('end') ? ['', '$'] : ['^', ''];
  const placed = step.has('line') ? `${before}(?:${found})${after}` : found;
  const pattern = step.has('not') ? `^(?!.*(?:${placed}))` : placed;
  return { pattern, ignoreCase, shown: `"${text}"${ignoreCase ? ' (in any letter case)' : ''}` };
}
