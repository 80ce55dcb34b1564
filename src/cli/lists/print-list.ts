import type { CommandIo } from '../command.ts';
import { stdoutColumns } from '../io/process-output.ts';
import { symbolsFor } from '../menu/terminal/symbols.ts';
import { createStyle } from '../style.ts';
import type { ListColumn, ListFrame } from './columns/list-column.ts';
import { listTable } from './list-table.ts';

/** The frame of a list that is printed now, at `columns` columns of the terminal. */
function printedFrame(io: CommandIo, columns: number): ListFrame {
  const { environment } = io;
  const symbols = symbolsFor(environment);
  return {
    width: Math.min(columns - 1, 100),
    symbols,
    style: createStyle(environment, io.isOutputTerminal === true),
    now: new Date(),
    spinner: symbols.still,
    home: environment['HOME'],
  };
}

/** Prints rows: as columns that fit at a terminal, with tabs in a pipe. `title` is printed at a terminal only. */
export async function printList<Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  { io, title }: { readonly io: CommandIo; readonly title?: (frame: ListFrame) => string },
): Promise<void> {
  if (io.isOutputTerminal !== true) {
    io.stdout(listTable(rows, columns));
    return;
  }
  // Measuring text needs packages that most commands do not.
  const { listLines } = await import('./list-lines.ts');
  const frame = printedFrame(io, stdoutColumns());
  const lines = [
    ...(title === undefined ? [] : [frame.style.bold(title(frame))]),
    ...listLines(rows, columns, frame).flat(),
  ];
  io.stdout(lines.map((line) => `${line}\n`).join(''));
}
