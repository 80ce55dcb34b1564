import {
  columnsOfObjects,
  createObjectRows,
  type FlatObject,
  flatten,
  namesOf,
} from './parse-objects.ts';
import type { Chunk } from './read-file.ts';
import { linesOf, type RowParser, skip } from './row-parser.ts';
import type { Column, Row } from './table.ts';

/** Whether the first lines are JSON objects, one a line, and at least two of them (or the only line is one). */
export function looksLikeJsonLines(sample: string): boolean {
  const lines = sample.split(/\r?\n/, 20).filter((line) => line.trim() !== '');
  const good = lines.filter((line) => objectOf(line) !== undefined).length;
  return good >= 2 && good * 2 > lines.length;
}

/** One JSON object a line. Keys that first appear after the first chunk are not seen. */
export function createJsonLinesParser(): RowParser {
  return createObjectLinesParser('JSON lines', objectOf);
}

/** Lines that each give one object. */
export function createObjectLinesParser(
  format: string,
  parseLine: (line: string) => FlatObject | undefined,
): RowParser {
  const skipped = { count: 0, lines: [] };
  let toRow: (object: FlatObject) => Row = () => [];
  let known: { columns: readonly Column[]; isLog: boolean } = { columns: [], isLog: false };

  const parse = (chunk: Chunk): FlatObject[] => {
    const objects: FlatObject[] = [];
    for (const [line, lineNumber] of linesOf(chunk)) {
      const object = parseLine(line);
      if (object) objects.push(object);
      else skip(skipped, lineNumber);
    }
    return objects;
  };

  return {
    format,
    get isLog() {
      return known.isLog;
    },
    skipped,
    start(first) {
      const objects = parse(first);
      const names = namesOf(objects);
      toRow = createObjectRows(names);
      const rows = objects.map(toRow);
      known = columnsOfObjects(names, rows);
      return rows;
    },
    columns: () => known.columns,
    next: (chunk) => parse(chunk).map(toRow),
  };
}

function objectOf(line: string): FlatObject | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value)
      : undefined;
  } catch {
    return undefined;
  }
}
