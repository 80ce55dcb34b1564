import type { Value } from './compare-values.ts';
import { markdownCell } from './escape-cell.ts';
import type { CellTexts } from './evaluation.ts';

/** Columns and rows as they are written. */
export interface Sheet {
  readonly columns: readonly { readonly name: string; readonly unit?: string | undefined }[];
  readonly rows: readonly (readonly Value[])[];
  /** As in `ResultTable`. JSON gets the numbers. */
  readonly texts?: CellTexts | undefined;
}

/** An aligned Markdown table: numbers to the right, units in the header. */
export function renderMarkdown({ columns, rows, texts }: Sheet): string {
  const head = columns.map(({ name, unit }) => markdownCell(withUnit(name, unit)));
  const body = rows.map((row, at) =>
    row.map((value, column) => markdownCell(texts?.[at]?.[column] ?? shown(value))),
  );
  const widths = head.map((name, at) =>
    Math.max(3, width(name), ...body.map((row) => width(row[at] ?? ''))),
  );
  const isNumeric = columns.map(
    (_column, at) =>
      rows.length > 0 && rows.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => pad(cell, widths[at] ?? 0, isNumeric[at] === true)).join(' | ')} |`;
  const rule = widths.map((size, at) =>
    isNumeric[at] ? `${'-'.repeat(size - 1)}:` : '-'.repeat(size),
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n');
}

/** Fractions to three decimals, small ones to four digits: files hold all digits. */
export function shown(value: Value): Value {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Math.abs(value) >= 1 ? Number(value.toFixed(3)) : Number(value.toPrecision(4));
}

/** `duration` in ms → `duration (ms)`; `duration_ms` says it already. */
function withUnit(name: string, unit: string | undefined): string {
  if (
    unit === undefined ||
    new RegExp(`(?:^|[_ (])${unit.replace(/[$^]/g, '\\$&')}\\)?$`, 'i').test(name)
  )
    return name;
  return `${name} (${unit})`;
}

const width = (text: string): number => [...text].length;

function pad(text: string, size: number, toRight: boolean): string {
  const space = ' '.repeat(Math.max(0, size - width(text)));
  return toRight ? `${space}${text}` : `${text}${space}`;
}

/** Delimited text with a header (RFC 4180, LF). */
export function renderDelimited(
  { columns, rows, texts }: Sheet,
  delimiter: string,
  hasHeader: boolean,
): string {
  const quote = (value: Value): string => {
    const text = value === null ? '' : String(value);
    const needsQuotes = text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);
    return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row, at) =>
    row.map((value, column) => quote(texts?.[at]?.[column] ?? value)).join(delimiter),
  );
  const header = columns.map(({ name }) => quote(name)).join(delimiter);
  return `${[...(hasHeader ? [header] : []), ...lines].join('\n')}\n`;
}

/** A list of objects, one for each row. */
export const toObjects = ({ columns, rows }: Sheet): Record<string, Value>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));

/** One object: the first column are its keys. @throws never; a key that comes twice keeps the last value. */
export const toMapping = ({ rows }: Sheet): Record<string, Value> =>
  Object.fromEntries(rows.map(([key = null, value = null]) => [String(key), value]));
