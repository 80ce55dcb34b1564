import sliceAnsi from 'slice-ansi';
import type { Symbols } from '../menu/terminal/symbols.ts';
import { textWidth } from '../menu/terminal/text-width.ts';

/** A path in at most `width` columns, cut in its middle: `~/code/…/cart.js`. A wide character is never halved. */
export function cutMiddle(path: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  const all = textWidth(path);
  if (all <= width) return path;
  const room = Math.max(0, width - cut.length);
  const end = sliceAnsi(path, all - Math.ceil(room / 2), all);
  return `${sliceAnsi(path, 0, Math.floor(room / 2))}${cut}${end}`;
}
