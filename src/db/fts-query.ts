const MAX_WORDS = 64;

/**
 * A full-text query for any of a text's words. Each word is quoted, so that nothing in the text is an operator; the text
 * may come from anywhere. Empty where it has no word.
 */
export function toFtsQuery(text: string): string {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const unique = [...new Set(words.map((word) => word.slice(0, 64)))].slice(0, MAX_WORDS);
  return unique.map((word) => `"${word}"`).join(' OR ');
}
