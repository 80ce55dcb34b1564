import type { Cell, LoaderOptions } from '../files/column-cells.ts';
import { cellOf, parseJson } from './json-values.ts';
import { linesOf, type Reader, type RowTarget } from './reader.ts';
import { FileProblem, type SourceFile } from './text-chunks.ts';

/** A document is read into memory as a whole. */
const MAX_DOCUMENT_CHARS = 64 * 1024 * 1024;

const options: LoaderOptions = { isTyped: true, nullIs: 'missing' };

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One object a line. */
export const jsonLinesReader: Reader = {
  about: { format: 'jsonl' },
  options,
  read(chunks, into) {
    for (const [line, number] of linesOf(chunks)) {
      if (line.trim() === '') continue;
      try {
        addRow(parseJson(line), number, into);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        into.reject(number, 'not JSON');
      }
    }
  },
};

/** A list of objects, or an object with such a list in it, whose name is `at` after reading. */
export function jsonReader(at: string | undefined): Reader {
  const about = { format: 'json', ...(at !== undefined && { at }) };
  return {
    about,
    options,
    read(chunks, into) {
      const found = listOf(parseDocument(wholeText(chunks, into), into.file), at, into.file);
      Object.assign(about, found.at !== undefined && { at: found.at });
      for (const [index, row] of found.rows.entries()) addRow(row, index + 1, into);
    },
  };
}

function wholeText(chunks: Iterable<string>, { file }: RowTarget): string {
  let text = '';
  for (const chunk of chunks) {
    text += chunk;
    if (text.length > MAX_DOCUMENT_CHARS) {
      const problem =
        'a JSON document of more than 64 Mi characters is not read; make it JSON Lines';
      throw new FileProblem(file.shown, problem);
    }
  }
  return text;
}

function addRow(value: unknown, line: number, into: RowTarget): void {
  if (!isRow(value)) {
    into.reject(line, 'not an object');
    return;
  }
  const cells: Cell[] = [];
  for (const [key, one] of Object.entries(value)) cells[into.place(key)] = cellOf(one);
  into.add(cells, line);
}

function parseDocument(text: string, { shown }: SourceFile): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const message = (error as Error).message.replace(/, \.\.\.[\s\S]*$/, '').slice(0, 200);
    throw new FileProblem(shown, `it is not valid JSON: ${message}`, lineOfError(text));
  }
}

/** Longest document whose line of an error is searched: it is parsed about twenty times. */
const MAX_SEARCHED_CHARS = 8 * 1024 * 1024;

/** The line where a text stops being the beginning of a JSON document. */
function lineOfError(text: string): number | undefined {
  if (text.length > MAX_SEARCHED_CHARS) return undefined;
  let [valid, broken] = [0, text.length];
  while (valid + 1 < broken) {
    const middle = (valid + broken) >> 1;
    if (mayGoOn(text.slice(0, middle))) valid = middle;
    else broken = middle;
  }
  return text.slice(0, valid).split('\n').length;
}

function mayGoOn(start: string): boolean {
  try {
    JSON.parse(start);
    return true;
  } catch (error) {
    const place = /position (\d+)/.exec(String(error))?.[1];
    return /end of JSON input|Unterminated/.test(String(error)) || Number(place) >= start.length;
  }
}

function listOf(document: unknown, at: string | undefined, file: SourceFile) {
  const found = at === undefined ? document : valueAt(document, at, file);
  if (Array.isArray(found)) return { rows: asRows(found), at };
  if (!isRow(found)) throw new FileProblem(file.shown, 'it does not contain a list of objects');
  const lists = Object.entries(found).filter(
    ([, value]) => Array.isArray(value) && value.length > 0 && value.every(isRow),
  );
  const [[name, rows] = [at, [found]]] = lists;
  if (lists.length <= 1) return { rows: rows as readonly unknown[], at: at ?? name };
  const names = lists.map(([name]) => `"${name}"`).join(', ');
  throw new FileProblem(file.shown, `it contains several lists; name one with \`at\`: ${names}`);
}

/** A list without any object is a table with the column `value`. */
const asRows = (list: readonly unknown[]): readonly unknown[] =>
  list.some(isRow) ? list : list.map((value) => ({ value }));

/** @param at `data.items`, `$.data.items`, `/data/items` or `pages[0].rows`. */
function valueAt(document: unknown, at: string, { shown }: SourceFile): unknown {
  const steps = at
    .replace(/^\$/, '')
    .split(/[./[\]]+/)
    .filter((step) => step !== '');
  let value = document;
  for (const step of steps) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    if (!isThere) {
      const names = isRow(value) ? Object.keys(value).slice(0, 20).join(', ') : '';
      throw new FileProblem(
        shown,
        `there is no "${step}" of \`at\` "${at}"${names && `; there is: ${names}`}`,
      );
    }
    value = (value as Row)[step];
  }
  return value;
}
