import sliceAnsi from 'slice-ansi';
import { counted } from '../../text/format.ts';
import type { Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';

/** The part of a long request that is printed next. */
export type Page = ReturnType<typeof nextPage>;

/** Returns as many lines as fit into `rows` rows of a terminal that wraps lines; at least one row. */
export function nextPage(lines: readonly string[], rows: number, columns: number) {
  const shown: string[] = [];
  let left = Math.max(1, rows);
  for (const [index, line] of lines.entries()) {
    const needs = Math.max(1, Math.ceil(textWidth(line) / columns));
    if (needs <= left) {
      shown.push(line);
      left -= needs;
    } else if (index > 0) {
      return { lines: shown, rest: lines.slice(index) };
    } else {
      const room = left * columns;
      return {
        lines: [sliceAnsi(line, 0, room)],
        rest: [sliceAnsi(line, room), ...lines.slice(1)],
      };
    }
  }
  return { lines: shown, rest: [] };
}

/** `… 4,818 more lines (118 KB) · Space shows more · Ctrl-O opens all of it` */
export function restLine(
  rest: readonly string[],
  { style, symbols }: Pick<Frame, 'style' | 'symbols'>,
): string {
  const bytes = Buffer.byteLength(rest.join('\n'));
  const size = bytes < 1_000 ? counted(bytes, 'byte') : `${Math.round(bytes / 1_000)} KB`;
  const count = `${rest.length.toLocaleString('en')} more ${rest.length === 1 ? 'line' : 'lines'} (${size})`;
  const parts = [`${symbols.cut} ${count}`, 'Space shows more', 'Ctrl-O opens all of it'];
  return style.yellow(`  ${parts.join(symbols.separator)}`);
}
