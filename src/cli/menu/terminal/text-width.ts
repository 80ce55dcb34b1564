import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import type { Symbols } from './symbols.ts';

/** The columns that a line takes: by grapheme, without its colours. */
export const textWidth = (line: string): number =>
  /^[ -~]*$/.test(line) ? line.length : stringWidth(line);

/** The line in at most `width` columns, cut at its end with `…`. A wide character is never halved. */
export function cutEnd(line: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  if (textWidth(line) <= width) return line;
  if (width <= cut.length) return begin(line, Math.max(0, width));
  return `${begin(line, width - cut.length)}${cut}`;
}

/** `sliceAnsi` keeps a wide character that begins in the last column. */
function begin(line: string, width: number): string {
  const part = sliceAnsi(line, 0, width);
  return textWidth(part) > width ? sliceAnsi(line, 0, width - 1) : part;
}
