import { escapeText } from './escape-text.ts';

/** The text on one line, truncated to `maxLength`, with every character that could forge or hide text escaped. */
export const printable = (text: string, maxLength = 200): string =>
  escapeText(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

/** Whether the text contains a line break or another control character. */
export const hasControlCharacter = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);
