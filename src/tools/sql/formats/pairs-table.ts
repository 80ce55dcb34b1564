import type { Cell } from '../files/cell-value.ts';
import type { TableLoader } from '../files/table-loader.ts';
import { linesOf, type Reader } from './reader.ts';

const PAIR = /(?:^|\s)([A-Za-z_@][\w.@-]*)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|(\S*))/g;
const DURATION = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)$/;

/** Whether a line is made of at least two `key=value` pairs. */
export const isPairs = (line: string): boolean => [...line.matchAll(PAIR)].length >= 2;

/** `key=value` logs. Text before the first pair is the column `text`; `took=1.5s` is also `took_ms`. */
export const pairsReader: Reader = {
  about: { format: 'pairs' },
  options: { isTyped: false, nullIs: 'missing' },
  read(chunks, { loader, malformed }) {
    for (const [line, number] of linesOf(chunks)) {
      if (line.trim() === '') continue;
      const cells = cellsOf(line, number, loader);
      if (cells === undefined) malformed.note(number, 'no key=value pair');
      else loader.add(cells, number);
    }
  },
};

function cellsOf(line: string, number: number, loader: TableLoader): Cell[] | undefined {
  const pairs = [...line.matchAll(PAIR)];
  if (pairs.length === 0) return undefined;
  const cells: Cell[] = [];
  cells[loader.place('line')] = String(number);
  const before = line.slice(0, pairs[0]?.index).trim();
  if (before !== '') cells[loader.place('text')] = before;
  for (const [, key = '', quoted, plain] of pairs) {
    const text = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    cells[loader.place(key)] = text;
    const ms = millisecondsOf(text);
    if (ms !== undefined) cells[loader.place(`${key}_ms`)] = ms;
  }
  return cells;
}

const factors = { ns: 'e-6', us: 'e-3', µs: 'e-3', ms: '', s: 'e3', m: undefined, h: undefined };

/** A duration with its unit as a number of milliseconds. */
export function millisecondsOf(text: string): string | undefined {
  const found = DURATION.exec(text);
  if (!found) return undefined;
  const [, number = '', unit = 'ms'] = found;
  const shift = factors[unit as keyof typeof factors];
  if (shift !== undefined) return String(Number(`${number}${shift}`));
  return String(Number(number) * (unit === 'h' ? 3_600_000 : 60_000));
}
