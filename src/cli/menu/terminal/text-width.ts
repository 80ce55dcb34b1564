import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import type { Symbols } from './symbols.ts';

/** The width of a line in columns, without its colours. */
export const textWidth = (line: string): number =>
  /^[ -~]*$/.test(line) ? line.length : stringWidth(line);

/** Cuts a line to at most `width` columns, with `…` at its end. A wide character is never halved. */
export function cutEnd(line: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  if (textWidth(line) <= width) return line;
  if (width <= cut.length) return begin(line, Math.max(0, width));
  return `${begin(line, width - cut.length)}${cut}`;
}

/** The beginning of a line. `sliceAnsi` keeps a wide character that begins in the last column, so it is cut once more. */
function begin(line: string, width: number): string {
  const part = sliceAnsi(line, 0, width);
  return textWidth(part) > width ? sliceAnsi(line, 0, width - 1) : part;
}
