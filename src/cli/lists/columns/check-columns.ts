import type { Check } from '../../../app/doctor/check.ts';
import { oneLine } from '../one-line.ts';
import type { ListColumn } from './list-column.ts';

/** The columns of the findings of `doctor`. */
export const checkColumns: readonly ListColumn<Check>[] = [
  {
    name: 'check',
    value: ({ name }) => oneLine(name),
    cell: ({ status, name }, { symbols }) =>
      `${{ ok: symbols.done, warn: symbols.notice, fail: symbols.failed }[status]} ${oneLine(name)}`,
    paint: (cell, { status }, { style }) => {
      const paint = { ok: style.green, warn: style.yellow, fail: style.red }[status];
      return `${paint(cell.slice(0, 1))}${cell.slice(1)}`;
    },
  },
  { name: 'status', value: ({ status }) => status },
  {
    name: 'found',
    value: ({ message }) => oneLine(message),
    cell: ({ message }) => oneLine(message),
    cut: 'text',
  },
];
