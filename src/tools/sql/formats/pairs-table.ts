import type { Cell } from '../files/column-cells.ts';
import { lineReader, type RowTarget } from './reader.ts';

const PAIR = /(?:^|\s)([A-Za-z_@][\w.@-]*)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|(\S*))/g;
const DURATION = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)$/;

/** Whether a line is made of at least two `key=value` pairs. */
export const isPairs = (line: string): boolean => [...line.matchAll(PAIR)].length >= 2;

/** `key=value` logs. Text before the first pair is the column `text`. */
export const pairsReader = lineReader({
  format: 'pairs',
  isSkipped: (line) => line.trim() === '',
  cellsOf,
  problem: 'it has no key=value pair',
});

function cellsOf(line: string, number: number, into: RowTarget): Cell[] | undefined {
  const { before, pairs } = splitPairs(line);
  if (pairs.length === 0) return undefined;
  const cells: Cell[] = [];
  cells[into.place('line')] = String(number);
  if (before !== '') cells[into.place('text')] = before;
  placePairs(pairs, cells, into);
  return cells;
}

export type Pair = readonly [key: string, text: string];

/** The `key=value` pairs of a line, the text before the first one, and whether nothing else stands behind it. */
export function splitPairs(line: string) {
  const found = [...line.matchAll(PAIR)];
  const start = found[0]?.index ?? line.length;
  const pairs = found.map(
    ([, key = '', quoted, plain]): Pair => [key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''],
  );
  const isEnd = line.slice(start).replace(PAIR, '').trim() === '';
  return { before: line.slice(0, start).trim(), pairs, isEnd };
}

/** Fills the columns of pairs. What `took=1.5s` measures is also in `took_ms`. */
export function placePairs(pairs: readonly Pair[], cells: Cell[], into: RowTarget): void {
  for (const [key, text] of pairs) {
    cells[into.place(key)] = text;
    const ms = millisecondsOf(text);
    if (ms !== undefined) cells[into.place(`${key}_ms`)] = ms;
  }
}

const factors = { ns: 'e-6', us: 'e-3', µs: 'e-3', ms: '', s: 'e3', m: undefined, h: undefined };

/** A duration with its unit as a number of milliseconds. */
function millisecondsOf(text: string): string | undefined {
  const found = DURATION.exec(text);
  if (!found) return undefined;
  const [, number = '', unit = 'ms'] = found;
  const shift = factors[unit as keyof typeof factors];
  if (shift !== undefined) return String(Number(`${number}${shift}`));
  return String(Number(number) * (unit === 'h' ? 3_600_000 : 60_000));
}
