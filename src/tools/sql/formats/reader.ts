import type { Cell, LoaderOptions } from '../files/column-cells.ts';
import type { SourceFile } from './text-chunks.ts';

/** Turns the text of a file in one format into rows. */
export interface Reader {
  /** What was detected, for people: `{format: "csv", delimiter: ";"}`. */
  readonly about: Readonly<Record<string, unknown>> & { readonly format: string };
  readonly options: LoaderOptions;
  /** @throws FileProblem */
  read(chunks: Iterable<string>, into: RowTarget): void;
}

/** What a reader fills. */
export interface RowTarget {
  readonly file: SourceFile;
  /** Adds the columns of a header, or checks that a further file has the same ones. Returns them in the order of the table. */
  headerOf(names: readonly string[]): readonly string[];
  /** The position of a column. Adds it if there is none of this name. */
  place(name: string): number;
  /** @param line The first line of the row in its file. */
  add(cells: readonly Cell[], line: number): void;
  /** A row or a line does not have its format. */
  reject(line: number, problem: string): void;
}

interface LineFormat {
  readonly format: string;
  readonly fixed?: LoaderOptions['fixed'];
  /** Its first columns. Default: those of the first line. */
  readonly columns?: readonly string[];
  isSkipped(line: string): boolean;
  /** Undefined if the line does not have the format. */
  cellsOf(line: string, number: number, into: RowTarget): readonly Cell[] | undefined;
  readonly problem: string;
}

/** A reader of a format with one row on each line. */
export const lineReader = ({ format, columns = [], ...line }: LineFormat): Reader => ({
  about: { format },
  options: { isTyped: false, nullIs: 'missing', ...(line.fixed && { fixed: line.fixed }) },
  read(chunks, into) {
    for (const name of columns) into.place(name);
    for (const [text, number] of linesOf(chunks)) {
      if (line.isSkipped(text)) continue;
      const cells = line.cellsOf(text, number, into);
      if (cells === undefined) into.reject(number, line.problem);
      else into.add(cells, number);
    }
  },
});

/** What a request states about a file in addition to its path. Missing fields are detected. */
export interface FileOptions {
  readonly format?: 'csv' | 'tsv' | 'json' | 'jsonl' | 'pairs' | 'access_log' | 'log' | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  /** JSON: the path of the list of rows: `data.items`. */
  readonly at?: string | undefined;
}

/** The lines of a text with their numbers, without their ends. */
export function* linesOf(chunks: Iterable<string>): Generator<readonly [string, number]> {
  let rest = '';
  let number = 1;
  for (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield [line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line, number];
      number += 1;
    }
  }
  if (rest !== '') yield [rest.replace(/\r$/, ''), number];
}
