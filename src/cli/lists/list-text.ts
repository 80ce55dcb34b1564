import type { CommandIo } from '../command.ts';
import { stdoutColumns } from '../io/process-output.ts';
import { symbolsFor } from '../menu/terminal/symbols.ts';
import { createStyle } from '../text/style.ts';
import type { ListColumn, ListFrame } from './columns/list-column.ts';

interface ListOptions {
  readonly io: CommandIo;
  readonly none: string;
  /** The line above the rows, at a terminal only. */
  readonly title?: (frame: ListFrame) => string;
}

/** Rows as columns that fit at a terminal, with tabs in a pipe. */
export async function listText<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  { io, none, title }: ListOptions,
): Promise<string> {
  if (rows.length === 0) return none;
  if (io.isOutputTerminal !== true) return listTable(rows, columns);
  // Measuring text needs packages that most commands do not.
  const { listLines } = await import('./list-lines.ts');
  const symbols = symbolsFor(io.environment);
  const frame: ListFrame = {
    width: Math.min(stdoutColumns() - 1, 100),
    symbols,
    style: createStyle(io.environment, true),
    now: new Date(),
    spinner: symbols.still,
    home: io.environment['HOME'],
  };
  const head = title === undefined ? [] : [frame.style.bold(title(frame))];
  return [...head, ...listLines(rows, columns, frame).flat()].map((line) => `${line}\n`).join('');
}

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
