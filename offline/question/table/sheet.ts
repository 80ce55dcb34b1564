import { markdownCell } from '../../language/escape.ts';
import type { OutputColumn } from '../sql/clauses.ts';

/** The rows of an answer. `texts` has the cells as they are written in the file. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly texts: readonly (readonly unknown[])[];
}

/** The rows of a query result. Numbers that SQLite returned as text become numbers. */
export function sheetOf(
  columns: readonly OutputColumn[],
  rows: readonly (readonly unknown[])[],
): Sheet {
  return {
    columns: columns.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell, at) => cellValue(cell, columns[at]))),
    texts: rows.map((row) => row.map((cell, at) => textOfCell(cell, columns[at]))),
  };
}

/** A number from the file as text, so that it is not rounded. */
const textOfCell = (cell: unknown, column: OutputColumn | undefined): unknown =>
  typeof cell === 'number' && column?.source ? String(cell) : cell;

function cellValue(cell: unknown, column: OutputColumn | undefined): unknown {
  if (typeof cell !== 'string') return cell;
  if (column?.source?.isBoolean)
    return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
  if (!column?.isNumber) return cell;
  if (cell.trim() === '') return null;
  const number = Number(cell);
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number))
    ? number
    : cell;
}

/** Rounds fractions to three decimals, small ones to four digits. Only for display: files get all digits. */
function shown(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Math.abs(value) >= 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(4));
}

const width = (text: string): number => [...text].length;

/** An aligned Markdown table, with numbers right-aligned. */
export function markdownTable({ columns, rows, texts }: Sheet): string {
  const head = columns.map(markdownCell);
  const body = texts.map((row) => row.map((cell) => markdownCell(shown(cell))));
  const widths = head.map((name, at) =>
    Math.max(3, width(name), ...body.map((row) => width(row[at] ?? ''))),
  );
  const isNumber = columns.map(
    (_name, at) =>
      rows.length > 0 && rows.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const pad = (text: string, at: number) => {
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text)));
    return isNumber[at] ? `${space}${text}` : `${text}${space}`;
  };
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((size, at) =>
    isNumber[at] ? `${'-'.repeat(size - 1)}:` : '-'.repeat(size),
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n');
}

/** CSV, or text with another delimiter (RFC 4180, but with LF). */
export function delimited({ columns, texts }: Sheet, mark: string, hasHeader: boolean): string {
  const quote = (cell: unknown): string => {
    const text =
      cell === null || cell === undefined
        ? ''
        : typeof cell === 'object'
          ? JSON.stringify(cell)
          : String(cell);
    return text.includes(mark) || /["\r\n]|^\s|\s$/.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  };
  const lines = [...(hasHeader ? [columns] : []), ...texts].map((row) => row.map(quote).join(mark));
  return `${lines.join('\n')}\n`;
}

/** One JSON object per row. */
export const toObjects = ({ columns, rows }: Sheet): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
