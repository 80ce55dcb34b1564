import type { ListColumn } from './columns/list-column.ts';

/** A task may be as long as a book; JSON has all of it. */
const MAX_TEXT_CHARS = 1_000;

/** The rows for a pipe: a header line, tabs between the columns, only a text of more than 1,000 characters cut. */
export function listTable<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  const shown = columns.flatMap(({ name, value, cut }) => (value ? [{ name, value, cut }] : []));
  const lines = [
    shown.map(({ name }) => name),
    ...rows.map((row) =>
      shown.map(({ value, cut }) => (cut === 'text' ? cutText(value(row)) : value(row))),
    ),
  ];
  return lines.map((cells) => `${cells.join('\t')}\n`).join('');
}

const cutText = (text: string): string =>
  text.length > MAX_TEXT_CHARS
    ? `${text.slice(0, MAX_TEXT_CHARS).replace(/[\ud800-\udbff]$/, '')}…`
    : text;

/** Whether a row contains every word of a filter, in any column; capitals do not matter. */
export function matchesFilter<Row>(
  row: Row,
  columns: readonly ListColumn<Row>[],
  filter: string,
): boolean {
  const text = columns
    .map(({ value }) => value?.(row) ?? '')
    .join('\n')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
