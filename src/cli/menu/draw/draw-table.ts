import wrapAnsi from 'wrap-ansi';
import type { Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';

/** A table. Each cell is one line that is already escaped and styled. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Alignment of each column. Default: left. */
  readonly align?: readonly ('left' | 'right' | 'center' | null)[];
}

export interface TableOptions {
  /** Fold a table of more than 40 rows to 20. Default: false. */
  readonly isFolded?: boolean;
}

const GAP = '  ';
/** Minimum width of a column. */
const MIN_COLUMN = 8;
const MAX_ROWS = 40;
const FOLDED_ROWS = 20;

type Look = Pick<Frame, 'width' | 'style' | 'symbols'>;

/** Draws a table without cutting text: cells wrap in their column, or each row becomes `name: value` lines. */
export function drawTable(table: Table, frame: Look, { isFolded = false }: TableOptions = {}) {
  const hidden = isFolded && table.rows.length > MAX_ROWS ? table.rows.length - FOLDED_ROWS : 0;
  const rows = hidden > 0 ? table.rows.slice(0, FOLDED_ROWS) : table.rows;
  const widths = columnWidths([table.header, ...rows], frame.width);
  const lines = widths
    ? [
        ...rowLines(table.header.map(frame.style.bold), widths, table.align),
        ...rows.flatMap((row) => rowLines(row, widths, table.align)),
      ]
    : rows.flatMap((row, index) => [
        ...(index > 0 ? [''] : []),
        ...table.header.map((name, column) => `${frame.style.bold(name)}: ${row[column] ?? ''}`),
      ]);
  const more = `${frame.symbols.cut} ${hidden.toLocaleString('en')} more rows${frame.symbols.separator}Ctrl-O opens all`;
  return hidden > 0 ? [...lines, frame.style.dim(more)] : lines;
}

/** The width of each column; undefined if the columns do not fit. */
function columnWidths(
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] | undefined {
  const columns = rows[0]?.length ?? 0;
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const least = natural.map((one) => Math.min(one, MIN_COLUMN));
  let over = sum(natural) + GAP.length * (columns - 1) - width;
  if (sum(least) + GAP.length * (columns - 1) > width) return undefined;
  const widths = [...natural];
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths.every((one, column) => one >= (least[column] ?? 0)) ? widths : undefined;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

function rowLines(
  row: readonly string[],
  widths: readonly number[],
  align: Table['align'],
): string[] {
  const cells = widths.map((width, column) =>
    wrapAnsi(row[column] ?? '', width, { hard: true, trim: true }).split('\n'),
  );
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    cells
      .map((lines, column) => pad(lines[index] ?? '', widths[column] ?? 0, align?.[column]))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: 'left' | 'right' | 'center' | null = null) {
  const room = ' '.repeat(Math.max(0, width - textWidth(cell)));
  return align === 'right' ? room + cell : cell + room;
}
