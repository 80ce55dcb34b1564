/** Blanks, escapes and code fences: what differs between a text and the same text in JSON or in a fence. */
const INCIDENTAL = /```\w*|\\+[nrt]?|\s+/g;

const essenceOf = (text: string): string => text.replace(INCIDENTAL, '');

/**
 * Whether a text stands in what a model was given: then it repeats a file or a page, and says nothing of its own.
 *
 * @param given Contents of the messages that are not the model's.
 */
export function isEchoed(text: string, given: readonly string[]): boolean {
  const essence = essenceOf(text);
  return essence !== '' && given.some((one) => essenceOf(one).includes(essence));
}
