import type { Frame } from '../frame.ts';
import { wrapProse } from './wrap-prose.ts';

/** Two columns: short names, and texts that are wrapped within their column. `paint` styles the names; default: bold. */
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
