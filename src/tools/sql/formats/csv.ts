import Papa from 'papaparse';
import { classify, Kind, kindOf } from '../files/cell.ts';
import type { FileOptions, Reader, RowTarget } from './reader.ts';
import { FileProblem, type SourceFile } from './text-chunks.ts';

interface Dialect {
  readonly delimiter: string;
  /** Whether the first row names the columns. */
  readonly header: boolean;
}

/** Longest row: a quote that never ends would otherwise take the rest of the file. */
const MAX_ROW_CHARS = 4 * 1024 * 1024;
const SAMPLE_ROWS = 50;
const delimiters = [',', ';', '\t', '|'] as const;

const parse = (text: string, delimiter: string, newline: string, isLast: boolean) =>
  new Papa.Parser({ delimiter, newline }).parse(text, 0, !isLast);

/** CR alone ends lines in a text without any LF. */
const newlineOf = (text: string): string =>
  text.includes('\n') || !text.includes('\r') ? '\n' : '\r';

/** Finds the delimiter by which the first rows have the same number of cells, and whether the first row names columns. */
export function findDialect(
  start: string,
  known: Pick<FileOptions, 'delimiter' | 'header'>,
): Dialect {
  const newline = newlineOf(start);
  const rowsBy = (delimiter: string) =>
    parse(start, delimiter, newline, false)
      .data.concat(start.includes(newline) ? [] : parse(start, delimiter, newline, true).data)
      .filter((row) => !isBlank(row))
      .slice(0, SAMPLE_ROWS);
  const delimiter = known.delimiter ?? best(delimiters.map((one) => [one, scoreOf(rowsBy(one))]));
  const [first = [], ...others] = rowsBy(delimiter);
  return { delimiter, header: known.header ?? isHeader(first, others) };
}

function best(scores: readonly (readonly [string, number])[]): string {
  const [found] = [...scores].sort(([, a], [, b]) => b - a);
  return found && found[1] > 0 ? found[0] : ',';
}

/** Share of rows with as many cells as the first, for more than one cell; more cells decide between equals. */
function scoreOf(rows: readonly (readonly string[])[]): number {
  const width = rows[0]?.length ?? 0;
  if (width < 2) return 0;
  const same = rows.filter(({ length }) => length === width).length;
  return same / rows.length + Math.min(width, 99) / 1_000;
}

/** Names are texts, not values. A year may be a name if its column contains something else. */
function isHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  const kinds = first.map((cell) => kindOf(classify(cell.replace(/\r$/, ''))));
  const isYear = (cell = '') => /^(?:19|20)\d\d$/.test(cell.trim());
  const isName = (kind: Kind, at: number) =>
    kind === Kind.text ||
    kind === Kind.empty ||
    (isYear(first[at]) && others.length > 0 && !others.every((row) => isYear(row[at])));
  return kinds.includes(Kind.text) && kinds.every(isName);
}

const isBlank = (row: readonly string[]): boolean =>
  row.length === 1 && (row[0] === '' || row[0] === '\r');

/** CSV and TSV (RFC 4180). A file without a header has the columns `c1`, `c2`, … */
export function csvReader({ delimiter, header }: Dialect): Reader {
  return {
    about: { format: delimiter === '\t' ? 'tsv' : 'csv', delimiter, header },
    options: { isTyped: false, nullIs: 'empty' },
    read(chunks, into) {
      let takeCells: TakeRow | undefined;
      readRows(chunks, delimiter, into.file, (row, line) => {
        const isFirst = takeCells === undefined;
        takeCells ??= cellTaker(header ? row : row.map((_, at) => `c${at + 1}`), into);
        if (!isFirst || !header) takeCells(row, line);
      });
      if (takeCells === undefined) throw new FileProblem(into.file.shown, 'it is empty');
    },
  };
}

/** @param line Where the row begins. */
type TakeRow = (row: string[], line: number) => void;

/**
 * A short row lacks cells; a long one may have its cells in the wrong columns, and is left out. The columns may be in another
 * order than in the table.
 */
function cellTaker(names: readonly string[], into: RowTarget): TakeRow {
  const header = into.headerOf(names);
  const isSameOrder = header.every((name, at) => names[at] === name);
  const places = isSameOrder ? undefined : header.map((name) => names.indexOf(name));
  const width = names.length;
  return (row, line) => {
    if (row.length !== width) {
      const what = row.length < width ? 'the others are missing' : 'the row is left out';
      into.reject(line, `${row.length} cells, not ${width}: ${what}`);
    }
    if (row.length <= width) into.add(places?.map((at) => row[at]) ?? row, line);
  };
}

/** @throws FileProblem if a quoted cell never ends, or text follows its closing quote. */
function readRows(
  chunks: Iterable<string>,
  delimiter: string,
  file: SourceFile,
  takeRow: TakeRow,
): void {
  let line = 1;
  let rest = '';
  let newline: string | undefined;
  const take = (text: string, isLast: boolean) => {
    newline ??= newlineOf(text);
    const { data, errors, meta } = parse(text, delimiter, newline, isLast);
    const failed = errors.find(({ row }) => row < data.length);
    const hasQuotes = text.includes('"');
    for (const [at, row] of data.entries()) {
      if (failed?.row === at) throw quoteProblem(failed.code, file, line);
      const first = line;
      line += 1 + (hasQuotes ? countIn(row, newline) : 0);
      trimReturn(row);
      if (!isBlank(row)) takeRow(row, first);
    }
    return text.slice(meta.cursor);
  };
  for (const chunk of chunks) {
    rest = take(rest + chunk, false);
    if (rest.length > MAX_ROW_CHARS) throw quoteProblem('MissingQuotes', file, line);
  }
  if (rest !== '') take(rest, true);
}

/** Lines may end with CR LF. */
function trimReturn(row: string[]): void {
  const at = row.length - 1;
  const last = row[at];
  if (last?.charCodeAt(last.length - 1) === 13) row[at] = last.slice(0, -1);
}

function countIn(row: readonly string[], newline: string): number {
  let count = 0;
  for (const cell of row) {
    for (let at = cell.indexOf(newline); at !== -1; at = cell.indexOf(newline, at + 1)) count += 1;
  }
  return count;
}

const quoteProblem = (code: string, { shown }: SourceFile, line: number): FileProblem =>
  new FileProblem(
    shown,
    code === 'MissingQuotes'
      ? 'a quoted cell of this row never ends'
      : 'text follows the closing quote of a cell of this row (a quote inside a cell is written twice)',
    line,
  );
