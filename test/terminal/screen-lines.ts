import type xterm from '@xterm/headless';
import type { Span } from '../../scripts/pages/terminal-picture.ts';

type Buffer = InstanceType<typeof xterm.Terminal>['buffer']['active'];
type Line = NonNullable<ReturnType<Buffer['getLine']>>;
type Cell = NonNullable<ReturnType<Line['getCell']>>;

const spanOf = (cell: Cell, column: number): Span => ({
  text: cell.getChars() || ' ',
  column,
  width: cell.getWidth(),
  color: cell.isFgPalette() ? cell.getFgColor() : undefined,
  isBold: cell.isBold() !== 0,
  isDim: cell.isDim() !== 0,
});

/** The second column of a wide character is not a cell. */
function cellsOf(line: Line): Span[] {
  const cells = Array.from({ length: line.length }, (_, column) => {
    const cell = line.getCell(column);
    return cell && cell.getWidth() > 0 ? [spanOf(cell, column)] : [];
  }).flat();
  return cells.slice(0, cells.findLastIndex(({ text }) => text !== ' ') + 1);
}

/** A wide character stays alone, so that it is drawn in its own two columns. */
const isJoined = (a: Span, b: Span): boolean =>
  a.width === a.text.length &&
  b.width === b.text.length &&
  a.color === b.color &&
  a.isBold === b.isBold &&
  a.isDim === b.isDim;

function spansOf(line: Line): Span[] {
  const spans: Span[] = [];
  for (const cell of cellsOf(line)) {
    const last = spans.at(-1);
    if (!last || !isJoined(last, cell)) spans.push(cell);
    else spans.splice(-1, 1, { ...last, text: last.text + cell.text, width: last.width + 1 });
  }
  return spans;
}

/** The lines from one on with their styles, without empty lines at the end. */
export function screenLines(buffer: Buffer, from: number): Span[][] {
  const lines = Array.from({ length: buffer.length - from }, (_, index) => {
    const line = buffer.getLine(from + index);
    return line ? spansOf(line) : [];
  });
  return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
}
