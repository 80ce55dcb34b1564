import { escapeText } from '../contract/text/escape-text.ts';

/** A text on one line of at most so many characters, its end marked with `…` where it is longer. */
export function shorten(text: string, length: number): string {
  const line = [...escapeText(text.replace(/\s+/g, ' '))];
  return line.length > length ? `${line.slice(0, length - 1).join('')}…` : line.join('');
}
