import type { Chunk } from './read-file.ts';
import type { Column, Row, Skipped } from './table.ts';

/** Lines reported by number when they can't be read. */
const LINES_NAMED = 5;

/** Turns the chunks of one format into rows. `columns` are known once the first chunk was read. */
export interface RowParser {
  readonly format: string;
  readonly isLog: boolean;
  readonly skipped: Skipped;
  readonly start: (first: Chunk) => readonly Row[];
  readonly columns: () => readonly Column[];
  readonly next: (chunk: Chunk) => readonly Row[];
}

/** Notes a line that could not be read. */
export function skip(skipped: Skipped, line: number): void {
  skipped.count += 1;
  if (skipped.lines.length < LINES_NAMED) skipped.lines.push(line);
}

/** The lines of a chunk that are not blank, with their numbers. */
export function* linesOf(chunk: Chunk): Generator<readonly [line: string, lineNumber: number]> {
  let at = 0;
  let lineNumber = chunk.fromLine;
  while (at < chunk.text.length) {
    const found = chunk.text.indexOf('\n', at);
    const end = found === -1 ? chunk.text.length : found;
    const line = chunk.text.slice(at, chunk.text[end - 1] === '\r' ? end - 1 : end);
    if (line.trim() !== '') yield [line, lineNumber];
    lineNumber += 1;
    at = end + 1;
  }
}
