import { escapeText } from '../../contract/text/escape-text.ts';

/** A word as it is typed into a shell: in double quotes only where it needs them. */
export const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : quoteWord(word);

/** A word as it can be typed into a shell, in double quotes. */
export const quoteWord = (word: string): string =>
  `"${escapeText(word).replace(/["$`\\]/g, '\\$&')}"`;
