const MAX_WORDS = 64;

/** English words that say nothing about a subject. */
const empty = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had has have he her him his ' +
    'how i if in into is it its just me my no not of on or our out she so some than that the their them then there these ' +
    'they this those to up us was we were what when which who why will with would you your'
  ).split(' '),
);

/** Whether a word, in lower case, is one that says nothing about a subject: `the`, `how`. */
export const isEmptyWord = (word: string): boolean => empty.has(word);

/** The different words of a text in lower case, in their order: letters and digits, 64 characters of each at most. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, 64)))];
}

/**
 * A full-text query for any of a text's words, without those that say nothing. Each word is quoted, so that nothing in
 * the text is an operator; the text may come from anywhere. Empty where no word is left.
 */
export function toFtsQuery(text: string): string {
  return wordsOf(text)
    .filter((word) => !isEmptyWord(word))
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"`)
    .join(' OR ');
}
