import wrapAnsi from 'wrap-ansi';
import type { Frame } from '../frame.ts';

/** A space at which lines are not broken. */
export const FIXED_SPACE = '\u00a0';

/**
 * Breaks text at spaces into lines of at most `width` columns. A longer word, such as a path or an address, stays whole:
 * the terminal wraps it, so that a copy is one line.
 *
 * @param first Prefix of the first line, in plain text. Later lines are indented by its width.
 */
export function wrapProse(text: string, width: number, first = ''): string[] {
  const room = Math.max(10, width - first.length);
  const lines = text
    .split('\n')
    .flatMap((line) => wrapAnsi(line, room, { hard: false, trim: true }).split('\n'))
    .map((line) => line.replaceAll(FIXED_SPACE, ' '));
  const indent = ' '.repeat(first.length);
  return lines.map((line, index) => (index === 0 ? first : line === '' ? '' : indent) + line);
}

/** Breaks text behind a mark, which `paint` styles. */
export function markedProse(
  text: string,
  width: number,
  { mark, paint }: { readonly mark: string; readonly paint: (mark: string) => string },
): string[] {
  const [first = '', ...rest] = wrapProse(text, width, `${mark} `);
  return [`${paint(mark)}${first.slice(mark.length)}`, ...rest];
}

/** Words that are not broken: `Ctrl-O opens all`. */
export const fixed = (text: string): string => text.replaceAll(' ', FIXED_SPACE);

/** Draws two columns: short names, and texts that wrap within their column. `paint` styles the names; default: bold. */
export function namedLines(
  rows: readonly (readonly [name: string, text: string])[],
  { width, style }: Pick<Frame, 'width' | 'style'>,
  paint: (name: string) => string = style.bold,
): string[] {
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) => {
    const head = `  ${name.padEnd(nameWidth)}  `;
    const [first = '', ...rest] = wrapProse(text, width, head);
    return [paint(head) + first.slice(head.length), ...rest];
  });
}
