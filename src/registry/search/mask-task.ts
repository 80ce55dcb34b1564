import { isEmptyWord, wordsOf } from '../../db/sql/fts-query.ts';
import { maskNames } from '../files/named-files.ts';

/** The least number of meaningful words outside of quotes, for the quoted text to count as a value. */
const MIN_WORDS = 3;

const quoted =
  /"([^"\n]{1,300})"|“([^”\n]{1,300})”|«([^»\n]{1,300})»|(?<!\w)'([^'\n]{1,300})'(?!\w)/g;
const isMasked = /^\s*(?:file\.\w+|https web page)\s*$/;

/**
 * A task for comparing by meaning: names masked, and values in quotes left out. To send the message "The cat is hungry" is
 * about messages, not about cats. A task with little else is not changed.
 */
export function maskTask(task: string): string {
  const text = maskNames(task);
  const rest = text.replace(quoted, (value, ...groups: (string | undefined)[]) => {
    const inside = groups.slice(0, 4).find((group) => group !== undefined) ?? '';
    return isMasked.test(inside) ? value : ' ';
  });
  const isEnough = wordsOf(rest).filter((word) => !isEmptyWord(word)).length >= MIN_WORDS;
  return isEnough ? rest.replace(/ {2,}/g, ' ').trim() : text;
}
