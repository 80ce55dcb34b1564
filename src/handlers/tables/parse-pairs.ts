import { createObjectLinesParser } from './parse-json-lines.ts';
import type { RowParser } from './row-parser.ts';
import type { Cell } from './table.ts';

const pair = /(?:^|\s)([A-Za-z_@][\w.@-]*)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g;

/** Whether a line is made of at least two `key=value` pairs. */
export const looksLikePairs = (line: string): boolean => [...line.matchAll(pair)].length >= 2;

/** Lines of `key=value` pairs. What stands before the first pair is the column `text`. */
export function createPairsParser(): RowParser {
  return createObjectLinesParser('key=value log', (line) => {
    const found = [...line.matchAll(pair)];
    if (found.length === 0) return undefined;
    const cells = new Map<string, Cell>();
    const before = line.slice(0, found[0]?.index).trim();
    if (before !== '') cells.set('text', before);
    for (const [, key = '', quoted, plain] of found) {
      cells.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
    }
    return cells;
  });
}
