import sliceAnsi from 'slice-ansi';
import type { Symbols } from '../terminal/symbols.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';

/** A path in at most `width` columns, cut in its middle: its end, the name, says more than its folders. */
export function cutMiddle(path: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  const all = textWidth(path);
  if (all <= width) return path;
  const room = Math.max(0, width - cut.length);
  const end = Math.ceil(room * 0.6);
  const tail = lastPart(path, all, end);
  return `${cutEnd(path, room - end, { cut: '' })}${cut}${tail}`;
}

/** At most `width` columns from the end; a wide character that begins before them is left out. */
function lastPart(path: string, all: number, width: number): string {
  if (width <= 0) return '';
  const part = sliceAnsi(path, all - width);
  return textWidth(part) > width ? sliceAnsi(path, all - width + 1) : part;
}
