import type { Database } from 'better-sqlite3';
import { accessLogReader, isAccessLine } from '../formats/access-log.ts';
import { findDialect } from '../formats/csv.ts';
import { csvReader } from '../formats/csv-table.ts';
import { jsonLinesReader, jsonReader } from '../formats/json-table.ts';
import { isLevelLog, levelLogReader, startsWithTime } from '../formats/level-log.ts';
import { isPairs, pairsReader } from '../formats/pairs-table.ts';
import type { FileOptions, Reader } from '../formats/reader.ts';
import {
  type Encoding,
  findEncoding,
  NotUtf8,
  type SourceFile,
  textChunks,
} from '../formats/text-chunks.ts';
import type { LoadedColumn } from './column.ts';
import { FileProblem } from './file-problem.ts';
import { Malformed } from './malformed.ts';
import {
  CELL_TEXT,
  createTableLoader,
  type LoaderOptions,
  type Plans,
  type TableLoader,
  type TableTarget,
  TypesChanged,
} from './table-loader.ts';

/** One table of a request: one file, or several of one shape. */
export interface FileTable extends FileOptions {
  readonly name: string;
  readonly files: readonly SourceFile[];
}

export interface LoadedTable {
  readonly id: number;
  readonly name: string;
  readonly schema: 'main' | 'temp';
  readonly about: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly columns: readonly LoadedColumn[];
  readonly malformed: Pick<Malformed, 'count' | 'rows'>;
}

/** Loads the tables of a request. If there is a database, they are temporary tables. */
export function loadFiles(
  db: Database,
  tables: readonly FileTable[],
  schema: TableTarget['schema'],
): readonly LoadedTable[] {
  if (tables.length === 0) return [];
  db.exec(
    `CREATE TEMP TABLE ${CELL_TEXT} (table_id INTEGER, column_id INTEGER, row INTEGER, text TEXT,
       PRIMARY KEY (table_id, column_id, row)) WITHOUT ROWID`,
  );
  db.exec('BEGIN');
  const loaded = tables.map((table, id) => loadTable(table, { db, schema, name: table.name, id }));
  db.exec('COMMIT');
  return loaded;
}

/** The files are read again if a column has another type than expected, or if a file is not UTF-8. */
const MAX_PASSES = 5;

function loadTable(table: FileTable, target: TableTarget): LoadedTable {
  const latin1 = new Set<SourceFile>();
  let plans: Plans | undefined;
  for (let pass = 1; ; pass += 1) {
    const loading: Loading = { table, target, latin1, plans };
    try {
      return loadOnce(loading);
    } catch (error) {
      if (pass === MAX_PASSES) throw error;
      if (error instanceof TypesChanged) plans = error.plans;
      else if (!(error instanceof NotUtf8)) throw error;
      const { db, schema, id } = target;
      db.exec(`DROP TABLE IF EXISTS ${schema}."${target.name}"`);
      db.prepare(`DELETE FROM temp.${CELL_TEXT} WHERE table_id = ?`).run(id);
    }
  }
}

interface Loading {
  readonly table: FileTable;
  readonly target: TableTarget;
  /** Files that are not UTF-8. */
  readonly latin1: Set<SourceFile>;
  readonly plans: Plans | undefined;
}

function loadOnce({ table, target, latin1, plans }: Loading): LoadedTable {
  const malformed = new Malformed();
  const fileColumn = table.files.length === 1 ? undefined : 'file';
  const open = (options: LoaderOptions) =>
    createTableLoader({ target, options, known: plans, fileColumn });
  let loader: TableLoader | undefined;
  let about: Described = {};
  for (const file of table.files) {
    try {
      const encoding = latin1.has(file) ? 'latin-1' : findEncoding(file);
      const reader = readerFor(file, encoding, table);
      about = describe(about, { ...reader.about, encoding }, file);
      loader ??= open(reader.options);
      loader.file = fileColumn && file.shown;
      malformed.file = loader.file;
      reader.read(textChunks(file, encoding), { file, loader, malformed });
    } catch (error) {
      if (error instanceof NotUtf8) latin1.add(file);
      throw error;
    }
  }
  loader ??= open({ isTyped: false, nullIs: 'missing' });
  const { id, name, schema } = target;
  const problems = { count: malformed.count, rows: malformed.rows };
  const columns = loader.end();
  return { id, name, schema, about, rows: loader.rows(), columns, malformed: problems };
}

type Described = { readonly format?: string } & Readonly<Record<string, unknown>>;

/** What was detected about all files of a table. */
function describe(
  known: Described,
  { format, ...others }: Reader['about'] & { readonly encoding: Encoding },
  { shown }: SourceFile,
): Described {
  if (known.format === undefined) return { format, ...others };
  if (known.format !== format) {
    const problem = `it is ${format}, but the other files of the table are ${known.format}; make it a separate table`;
    throw new FileProblem(shown, problem);
  }
  const changed = Object.entries(others).filter(([key, value]) => known[key] !== value);
  return { ...known, ...Object.fromEntries(changed.map(([key]) => [key, 'differs by file'])) };
}

const SAMPLE_LINES = 50;
const MAX_SAMPLE_CHARS = 128 * 1024;

/** Chooses the reader of a file by the request, its extension and its content. */
function readerFor(file: SourceFile, encoding: Encoding, options: FileOptions): Reader {
  const start = startOf(file, encoding);
  const { format, at } = options;
  const isTsv = format === 'tsv' || (format === undefined && /\.tsv$/i.test(file.shown));
  const dialect = () =>
    findDialect(start, {
      delimiter: options.delimiter ?? (isTsv ? '\t' : undefined),
      header: options.header,
    });
  switch (format ?? formatOf(start, file, options)) {
    case 'json':
      return jsonReader(at);
    case 'jsonl':
      return jsonLinesReader;
    case 'pairs':
      return pairsReader;
    case 'access_log':
      return accessLogReader;
    case 'log':
      return levelLogReader;
    default:
      return csvReader(dialect());
  }
}

function startOf(file: SourceFile, encoding: Encoding): string {
  const [first = ''] = textChunks(file, encoding);
  return first.slice(0, MAX_SAMPLE_CHARS);
}

function formatOf(
  start: string,
  { shown }: SourceFile,
  { at, delimiter, header }: FileOptions,
): FileOptions['format'] {
  if (start.trim() === '') throw new FileProblem(shown, 'it is empty');
  if (at !== undefined) return 'json';
  if (/\.(?:csv|tsv)$/i.test(shown) || delimiter !== undefined || header !== undefined)
    return 'csv';
  if (/\.(?:jsonl|ndjson)$/i.test(shown)) return 'jsonl';
  const found = formatOfLines(start, shown);
  if (found !== undefined) return found;
  const problem =
    'its format is none of the known ones: CSV, TSV, JSON, JSON Lines, key=value lines, an access log (common, combined), or a log with times and levels. Name it with `format`, or read the file with python_exec';
  throw new FileProblem(shown, problem);
}

function formatOfLines(start: string, shown: string): FileOptions['format'] {
  const lines = start.split(/\r?\n/, SAMPLE_LINES).filter((line) => line.trim() !== '');
  const most = (test: (line: string) => boolean) => lines.filter(test).length * 2 > lines.length;
  if (lines.length > 1 && most(isObjectLine)) return 'jsonl';
  if (/^\s*[[{]/.test(start)) return 'json';
  if (most(isAccessLine)) return 'access_log';
  if (most(isPairs)) return 'pairs';
  if (hasHeader(lines)) return 'csv';
  if (isLevelLog(lines)) return 'log';
  return !/\.log\b/i.test(shown) && /[,;\t|]/.test(lines[0] ?? '') ? 'csv' : undefined;
}

/** Whether the first line names columns, and most lines have the same number of cells. */
const hasHeader = (lines: readonly string[]): boolean =>
  ['\t', '|', ';', ','].some((delimiter) => {
    const cells = (line = '') => line.split(delimiter).length;
    const count = cells(lines[0]);
    const alike = lines.filter((line) => cells(line) === count);
    return count > 2 && !startsWithTime(lines[0] ?? '') && alike.length * 2 > lines.length;
  });

function isObjectLine(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
