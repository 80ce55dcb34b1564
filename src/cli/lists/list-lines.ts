import sliceAnsi from 'slice-ansi';
import type { Symbols } from '../menu/terminal/symbols.ts';
import { cutEnd, textWidth } from '../menu/terminal/text-width.ts';
import type { ListColumn, ListFrame } from './columns/list-column.ts';

/** A terminal of 60 columns has this many for a line: a narrower one gets two lines a row. */
const MIN_ONE_LINE = 59;
const MIN_TEXT = 24;
/** Minimum width of a text that is followed by a state. */
const MIN_TEXT_BEFORE_TAIL = 16;
const MAX_PATH = 24;
const GAP = '  ';

/** The rows as lines for a terminal, two each if it is narrow. Only texts and paths are cut; without space for a text, columns go. */
export function listLines<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  frame: ListFrame,
): readonly (readonly string[])[] {
  const all = columns.flatMap((column) => measure(rows, column, frame));
  const text = all.find(({ column }) => column.cut === 'text');
  const fixed = all.filter((one) => one !== text && one.width > 0);
  const isNarrow = text !== undefined && frame.width < MIN_ONE_LINE;
  const forText = text && !isNarrow ? minWidthOf(text, rows, frame) + GAP.length : 0;
  const shown = fitting(fixed, frame.width - forText);
  const joined = (index: number, some = shown) =>
    some.map(({ cells }) => cells[index] ?? '').join(GAP);
  if (!text) return rows.map((_, index) => [joined(index).trimEnd()]);
  const others = shown.reduce((sum, { width }) => sum + width + GAP.length, 0);
  const maxWidth = frame.width - (isNarrow ? GAP.length : others);
  const texts = rows.map((row, index) =>
    textCell(text.column, row, text.cells[index] ?? '', { frame, maxWidth }),
  );
  if (isNarrow) return texts.map((cell, index) => [joined(index).trimEnd(), `${GAP}${cell}`]);
  const after = shown.filter(({ column }) => column.isAfterText);
  const before = shown.filter(({ column }) => !column.isAfterText);
  const padded = after.length > 0 ? Math.min(text.width, maxWidth) : 0;
  return texts.map((cell, index) => {
    const padding = ' '.repeat(Math.max(0, padded - textWidth(cell)));
    const parts = [joined(index, before), `${cell}${padding}`, joined(index, after)];
    const line = parts.filter((part) => part !== '').join(GAP);
    return [line.trimEnd()];
  });
}

/** Columns that the text should have, with what follows it. */
function minWidthOf<Row>({ column }: Measured<Row>, rows: readonly Row[], frame: ListFrame) {
  const tail = Math.max(0, ...rows.map((row) => textWidth(column.tail?.(row) ?? '')));
  if (tail === 0) return MIN_TEXT;
  return Math.max(MIN_TEXT, MIN_TEXT_BEFORE_TAIL + textWidth(frame.symbols.separator) + tail);
}

/** A column with its cells; those of all columns but the text are painted and padded to its width. */
type Measured<Row> = ReturnType<typeof measure<Row>>[number];

function measure<Row>(rows: readonly Row[], column: ListColumn<Row>, frame: ListFrame) {
  const { cut, isNumber, paint = (text: string) => text } = column;
  const cellOf = column.cell === 'value' ? column.value : column.cell;
  if (!cellOf) return [];
  const plain = rows.map((row) => {
    const whole = cellOf(row, frame);
    return cut === 'path' ? cutMiddle(whole, MAX_PATH, frame.symbols) : whole;
  });
  const width = Math.max(0, ...plain.map(textWidth));
  if (cut === 'text') return [{ column, cells: plain, width }];
  const cells = rows.map((row, index) => {
    const cell = plain[index] ?? '';
    const padding = ' '.repeat(width - textWidth(cell));
    const painted = paint(cell, row, frame);
    return isNumber ? `${padding}${painted}` : `${painted}${padding}`;
  });
  return [{ column, cells, width }];
}

/** Drops columns, the lowest `drop` first, until the rest takes at most `maxWidth` columns. */
function fitting<Row>(all: readonly Measured<Row>[], maxWidth: number): readonly Measured<Row>[] {
  const width = all.reduce((sum, one) => sum + one.width + GAP.length, -GAP.length);
  if (width <= maxWidth) return all;
  const droppable = all.filter(({ column }) => column.drop !== undefined);
  const [first] = droppable.sort((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0));
  const rest = all.filter((one) => one !== first);
  return first ? fitting(rest, maxWidth) : all;
}

function textCell<Row>(
  { paint, tail }: ListColumn<Row>,
  row: Row,
  whole: string,
  { frame, maxWidth }: { readonly frame: ListFrame; readonly maxWidth: number },
): string {
  const state = tail?.(row) ?? '';
  const end = state === '' ? '' : `${frame.symbols.separator}${state}`;
  const cell = cutEnd(whole, Math.max(0, maxWidth - textWidth(end)), frame.symbols);
  return `${paint ? paint(cell, row, frame) : cell}${end}`;
}

/** A path in at most `width` columns, cut in its middle: `~/code/…/cart.js`. A wide character is never halved. */
function cutMiddle(path: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  const all = textWidth(path);
  if (all <= width) return path;
  const maxWidth = Math.max(0, width - cut.length);
  const end = sliceAnsi(path, all - Math.ceil(maxWidth / 2), all);
  return `${sliceAnsi(path, 0, Math.floor(maxWidth / 2))}${cut}${end}`;
}
