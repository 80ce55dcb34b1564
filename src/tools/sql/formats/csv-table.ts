import { type Dialect, readCsv, type TakeRow } from './csv.ts';
import type { Reader, RowTarget } from './reader.ts';
import { FileProblem } from './text-chunks.ts';

/** CSV and TSV. A file without a header has the columns `c1`, `c2`, … */
export function csvReader(dialect: Dialect): Reader {
  const { delimiter, header } = dialect;
  return {
    about: { format: delimiter === '\t' ? 'tsv' : 'csv', delimiter, header },
    options: { isTyped: false, nullIs: 'empty' },
    read(chunks, into) {
      let takeCells: TakeRow | undefined;
      readCsv(chunks, dialect, into.file, (row, line) => {
        const isFirst = takeCells === undefined;
        takeCells ??= cellTaker(header ? row : row.map((_, at) => `c${at + 1}`), into);
        if (!isFirst || !header) takeCells(row, line);
      });
      if (takeCells === undefined) throw new FileProblem(into.file.shown, 'it is empty');
    },
  };
}

/** A short row lacks cells; a long one may have its cells in the wrong columns, and is left out. */
function cellTaker(names: readonly string[], into: RowTarget): TakeRow {
  const places = placesOf(names, into.headerOf(names));
  const width = names.length;
  return (row, line) => {
    if (row.length !== width) {
      const what = row.length < width ? 'the others are missing' : 'the row is left out';
      into.reject(line, `${row.length} cells, not ${width}: ${what}`);
    }
    if (row.length <= width) into.add(places?.map((at) => row[at]) ?? row, line);
  };
}

/** Where each column of the table is in a row; undefined if the order is the same. */
function placesOf(
  names: readonly string[],
  header: readonly string[],
): readonly number[] | undefined {
  if (header.every((name, at) => names[at] === name)) return undefined;
  return header.map((name) => names.indexOf(name));
}
