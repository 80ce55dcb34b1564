import type { ListColumn } from './columns/list-column.ts';

/** The rows for a pipe: a header line, tabs between the columns, nothing cut. */
export function listTable<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  const shown = columns.flatMap(({ name, value }) => (value ? [{ name, value }] : []));
  const lines = [
    shown.map(({ name }) => name),
    ...rows.map((row) => shown.map(({ value }) => value(row))),
  ];
  return lines.map((cells) => `${cells.join('\t')}\n`).join('');
}

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
