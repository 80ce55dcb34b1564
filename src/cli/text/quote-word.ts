import { escapeText } from '../../contract/text/escape-text.ts';

/** A word as it can be typed into a shell, in double quotes. */
export const quoteWord = (word: string): string =>
  `"${escapeText(word).replace(/["$`\\]/g, '\\$&')}"`;
