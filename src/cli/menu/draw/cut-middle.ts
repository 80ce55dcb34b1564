import sliceAnsi from 'slice-ansi';
import type { Symbols } from '../terminal/symbols.ts';
import { textWidth } from '../terminal/text-width.ts';

/** A path in at most `width` columns, cut in its middle: its end, the name, says more than its folders. */
export function cutMiddle(path: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  const all = textWidth(path);
  if (all <= width) return path;
  const room = Math.max(0, width - cut.length);
  const end = Math.ceil(room * 0.6);
  const tail = end > 0 ? sliceAnsi(path, all - end) : '';
  return `${sliceAnsi(path, 0, room - end)}${cut}${tail}`;
}
