import { numberWords } from '../language/lexicon.ts';

/** Words without a meaning for a task. */
export const articles: ReadonlySet<string> = new Set([
  ...['the', 'an', 'a', 'my', 'our', 'please', 'kindly', 'just'],
]);

/** The words of a text in lower case, without articles, numbers as digits. */
export const plainWords = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [])
    .filter((word) => !articles.has(word))
    .map((word) => String(numberWords.get(word) ?? word))
    .join(' ');
