import type { Malformed } from '../files/malformed.ts';
import type { LoaderOptions, TableLoader } from '../files/table-loader.ts';
import type { SourceFile } from './text-chunks.ts';

/** What a format makes of the text of a file. */
export interface Reader {
  /** What was detected, for people: `{format: "csv", delimiter: ";"}`. */
  readonly about: Readonly<Record<string, unknown>> & { readonly format: string };
  readonly options: LoaderOptions;
  /** @throws FileProblem */
  read(chunks: Iterable<string>, into: RowTarget): void;
}

export interface RowTarget {
  readonly file: SourceFile;
  readonly loader: TableLoader;
  readonly malformed: Malformed;
}

/** What a request says of a file beside its path. What is left out is detected. */
export interface FileOptions {
  readonly format?: 'csv' | 'tsv' | 'json' | 'jsonl' | 'pairs' | 'access_log' | 'log' | undefined;
  readonly delimiter?: string | undefined;
  readonly header?: boolean | undefined;
  /** JSON: the way to the list of rows: `data.items`. */
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
