import { escapeText } from '../../contract/text/escape-text.ts';

/** Escapes a text, puts it on one line and cuts it to `length` characters, the last one `…` if it was longer. */
export function shorten(text: string, length: number): string {
  const line = [...escapeText(text.replace(/\s+/g, ' '))];
  return line.length > length ? `${line.slice(0, length - 1).join('')}…` : line.join('');
}
