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

/**
 * The rows as lines for a terminal: one line each, or two if it is narrow. Numbers, ids and states are never cut; if the
 * text has too little space, columns go in their order.
 */
export function listLines<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  frame: ListFrame,
): readonly (readonly string[])[] {
  const all = columns.flatMap((column) => measure(rows, column, frame));
  const text = all.find(({ column }) => column.cut === 'text');
  const fixed = all.filter((one) => one !== text && one.width > 0);
  const isNarrow = text !== undefined && frame.width < MIN_ONE_LINE;
  const shown = isNarrow
    ? fitting(fixed, frame.width)
    : fitting(fixed, frame.width - (text ? minWidthOf(text, rows, frame) + GAP.length : 0));
  const joined = (row: Row, index: number, isWanted: (one: Measured<Row>) => boolean) =>
    shown
      .filter(isWanted)
      .map((one) => paintedCell(one, row, index, frame))
      .join(GAP);
  if (!text || isNarrow) {
    return rows.map((row, index) => {
      const head = joined(row, index, () => true).trimEnd();
      const maxWidth = frame.width - GAP.length;
      return text ? [head, `${GAP}${textCell(text, { row, index }, { frame, maxWidth })}`] : [head];
    });
  }
  const others = shown.reduce((sum, { width }) => sum + width + GAP.length, 0);
  const maxWidth = frame.width - others;
  const isAfter = ({ column }: Measured<Row>) => column.isAfterText === true;
  const padded = shown.some(isAfter) ? Math.min(text.width, maxWidth) : 0;
  return rows.map((row, index) => {
    const cell = textCell(text, { row, index }, { frame, maxWidth });
    const padding = ' '.repeat(Math.max(0, padded - textWidth(cell)));
    const parts = [
      joined(row, index, (one) => !isAfter(one)),
      `${cell}${padding}`,
      joined(row, index, isAfter),
    ];
    return [
      parts
        .filter((part) => part !== '')
        .join(GAP)
        .trimEnd(),
    ];
  });
}

/** Columns that the text should have, with what follows it. */
function minWidthOf<Row>(
  { column }: Measured<Row>,
  rows: readonly Row[],
  { symbols }: ListFrame,
): number {
  const tail = Math.max(0, ...rows.map((row) => textWidth(column.tail?.(row) ?? '')));
  if (tail === 0) return MIN_TEXT;
  return Math.max(MIN_TEXT, MIN_TEXT_BEFORE_TAIL + textWidth(symbols.separator) + tail);
}

interface Measured<Row> {
  readonly column: ListColumn<Row>;
  readonly cells: readonly string[];
  readonly width: number;
}

function measure<Row>(
  rows: readonly Row[],
  column: ListColumn<Row>,
  frame: ListFrame,
): Measured<Row>[] {
  const { cut } = column;
  const cell = column.cell === 'value' ? column.value : column.cell;
  if (!cell) return [];
  const cells = rows.map((row) => {
    const whole = cell(row, frame);
    return cut === 'path' ? cutMiddle(whole, MAX_PATH, frame.symbols) : whole;
  });
  return [{ column, cells, width: Math.max(0, ...cells.map(textWidth)) }];
}

/** Drops columns, the lowest `drop` first, until the rest takes at most `maxWidth` columns. */
function fitting<Row>(all: readonly Measured<Row>[], maxWidth: number): readonly Measured<Row>[] {
  if (widthOf(all) <= maxWidth) return all;
  const droppable = all.filter(({ column }) => column.drop !== undefined);
  const [first] = droppable.sort((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0));
  return first
    ? fitting(
        all.filter((one) => one !== first),
        maxWidth,
      )
    : all;
}

const widthOf = (all: readonly { readonly width: number }[]): number =>
  all.reduce((sum, { width }) => sum + width, Math.max(0, all.length - 1) * GAP.length);

function paintedCell<Row>(
  { column, cells, width }: Measured<Row>,
  row: Row,
  index: number,
  frame: ListFrame,
): string {
  const cell = cells[index] ?? '';
  const padding = ' '.repeat(Math.max(0, width - textWidth(cell)));
  const painted = column.paint ? column.paint(cell, row, frame) : cell;
  return column.isNumber ? `${padding}${painted}` : `${painted}${padding}`;
}

function textCell<Row>(
  { column, cells }: Measured<Row>,
  { row, index }: { readonly row: Row; readonly index: number },
  { frame, maxWidth }: { readonly frame: ListFrame; readonly maxWidth: number },
): string {
  const tail = column.tail?.(row) ?? '';
  const end = tail === '' ? '' : `${frame.symbols.separator}${tail}`;
  const cell = cutEnd(cells[index] ?? '', Math.max(0, maxWidth - textWidth(end)), frame.symbols);
  return `${column.paint ? column.paint(cell, row, frame) : cell}${end}`;
}

/** A path in at most `width` columns, cut in its middle: `~/code/…/cart.js`. A wide character is never halved. */
function cutMiddle(path: string, width: number, { cut }: Pick<Symbols, 'cut'>): string {
  const all = textWidth(path);
  if (all <= width) return path;
  const maxWidth = Math.max(0, width - cut.length);
  const end = sliceAnsi(path, all - Math.ceil(maxWidth / 2), all);
  return `${sliceAnsi(path, 0, Math.floor(maxWidth / 2))}${cut}${end}`;
}
