import { byScript } from '../../platform/text/by-script.ts';

const MAX_WORDS = 64;

const stopWords = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had has have he her him his ' +
    'how i if in into is it its just me my no not of on or our out she so some than that the their them then there these ' +
    'they this those to up us was we were what when which who why will with would you your'
  ).split(' '),
);

/** Whether a lower-case word is an English stop word: `the`, `how`. */
export const isEmptyWord = (word: string): boolean => stopWords.has(word);

const word = byScript('[\\p{L}\\p{N}]+', 'g');

/** The distinct words of a text in lower case and in order: letters and digits, at most 64 characters each. */
export function wordsOf(text: string): string[] {
  const searched = text.slice(0, 20_000).toLowerCase();
  const words = searched.match(word(searched)) ?? [];
  return [...new Set(words.map((word) => word.slice(0, 64)))];
}

/**
 * A full-text query for any of the words of a text, without stop words. Each word is quoted, so untrusted text can't
 * contain operators. Empty if no word is left.
 */
export function toFtsQuery(text: string): string {
  return wordsOf(text)
    .filter((word) => !isEmptyWord(word))
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"`)
    .join(' OR ');
}
