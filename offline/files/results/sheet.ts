import { markdownCell } from '../../language/escape.ts';

/** The rows of an answer. `texts` has the cells as they are written in the file. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly texts: readonly (readonly unknown[])[];
}

const cellText = (cell: unknown): string =>
  typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell ?? '');

/** Rounds fractions to three decimals, small ones to four digits. Only for display: files get all digits. */
function shown(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Math.abs(value) >= 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(4));
}

const width = (text: string): number => [...text].length;

const shownCell = (value: unknown): string => markdownCell(shown(value));

/** A whole cell, for a file. */
export const wholeCell = (value: unknown): string =>
  cellText(value)
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n?|\n/g, ' ');

/** An aligned Markdown table, with numbers right-aligned. @param textOf The text of a cell. Default: shortened for display. */
export function markdownTable({ columns, rows, texts }: Sheet, textOf = shownCell): string {
  const head = columns.map(textOf);
  const body = texts.map((row) => row.map(textOf));
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

/** Maximum number of rows in the text of an answer. */
const MAX_SHOWN = 200;

/** The first rows as a Markdown table, and how many more there are, or at least are. */
export function shownRows(
  { columns, rows, texts }: Sheet,
  total = rows.length,
  isCounted = true,
): string {
  if (rows.length === 0) return 'No rows match.';
  const shown = { columns, rows: rows.slice(0, MAX_SHOWN), texts: texts.slice(0, MAX_SHOWN) };
  const more = total - shown.rows.length;
  return `${markdownTable(shown)}${more > 0 ? `\n\n… and ${isCounted ? '' : 'at least '}${more} more rows.` : ''}`;
}

/** CSV, or text with another delimiter (RFC 4180, but with LF). */
export function delimited({ columns, texts }: Sheet, mark: string, hasHeader = true): string {
  const quote = (cell: unknown): string => {
    const text = cellText(cell);
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
