import { fstatSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';
import { accessLogReader, isAccessLine } from '../formats/access-log.ts';
import { csvReader, findDialect } from '../formats/csv.ts';
import { jsonLinesReader, jsonReader } from '../formats/json-table.ts';
import { isLevelLog, levelLogReader, startsWithTime } from '../formats/level-log.ts';
import { isPairs, pairsReader } from '../formats/pairs-table.ts';
import type { FileOptions, Reader } from '../formats/reader.ts';
import {
  type Encoding,
  FileProblem,
  findEncoding,
  type SourceFile,
  textChunks,
} from '../formats/text-chunks.ts';
import type { LoadedColumn } from './column.ts';
import { CELL_TEXT, type Malformed, TableLoader, type TableTarget } from './table-loader.ts';

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
  readonly malformed: Malformed;
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

/** Largest files of a table that are read once instead of twice, in bytes together: their rows stay in memory meanwhile. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

function loadTable(table: FileTable, target: TableTarget): LoadedTable {
  const sources = table.files.map((file) => openSource(file, table));
  aboutOf(sources);
  const options = sources[0]?.reader.options ?? { isTyped: false, nullIs: 'missing' };
  const hasFileColumn = sources.length !== 1;
  const keepsRows = sources.reduce((sum, { size }) => sum + size, 0) <= MAX_KEPT_BYTES;
  const loader = new TableLoader({ target, options, hasFileColumn, keepsRows });
  const readAll = () => {
    for (const { file, size, encoding, reader } of sources) {
      loader.file = file;
      reader.read(textChunks(file, encoding, size), loader);
    }
  };
  readAll();
  if (!loader.fill()) readAll();
  const { id, name, schema } = target;
  return { id, name, schema, about: aboutOf(sources), ...loader.loaded() };
}

interface Source {
  readonly file: SourceFile;
  /** In bytes. What is appended later is not read. */
  readonly size: number;
  readonly encoding: Encoding;
  readonly reader: Reader;
}

function openSource(file: SourceFile, options: FileOptions): Source {
  const { size } = fstatSync(file.fd);
  const encoding = findEncoding(file);
  return { file, size, encoding, reader: readerFor(file, encoding, options) };
}

/** What was detected about all files of a table. */
function aboutOf(sources: readonly Source[]): Readonly<Record<string, unknown>> {
  const all = sources.map(({ encoding, reader }) => ({ ...reader.about, encoding }));
  const first: Readonly<Record<string, unknown>> = all[0] ?? {};
  const other = all.findIndex(({ format }) => format !== first['format']);
  if (other !== -1) {
    const problem = `it is ${all[other]?.format}, but the other files of the table are ${first['format']}; make it a separate table`;
    throw new FileProblem(sources[other]?.file.shown ?? '', problem);
  }
  const differs = ([key, value]: [string, unknown]) => value !== first[key];
  const changed = all.flatMap((one) => Object.entries(one).filter(differs));
  return { ...first, ...Object.fromEntries(changed.map(([key]) => [key, 'differs by file'])) };
}

const SAMPLE_LINES = 50;
const MAX_SAMPLE_CHARS = 128 * 1024;

/** Chooses the reader of a file by the request, its extension and its content. */
function readerFor(file: SourceFile, encoding: Encoding, options: FileOptions): Reader {
  const start = startOf(file, encoding);
  const { format, at } = options;
  const isTsv = format === 'tsv' || (format === undefined && /\.tsv$/i.test(file.shown));
  const { delimiter = isTsv ? '\t' : undefined, header } = options;
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
      return csvReader(findDialect(start, { delimiter, header }));
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
    'its format is not recognized. Known formats: CSV, TSV, JSON, JSON Lines, key=value lines, an access log (common, combined), or a log with times and levels. Name it with `format`, or read the file with python_exec';
  throw new FileProblem(shown, problem);
}

function formatOfLines(start: string, shown: string): FileOptions['format'] {
  const lines = start.split(/\r?\n/, SAMPLE_LINES).filter((line) => line.trim() !== '');
  const most = (test: (line: string) => boolean) => lines.filter(test).length * 2 > lines.length;
  if (lines.length > 1 && most(isObjectLine)) return 'jsonl';
  if (/^\s*[[{]/.test(start) && !startsWithTime(start)) return 'json';
  if (most(isAccessLine)) return 'access_log';
  if (isLevelLog(lines)) return 'log';
  if (most(isPairs)) return 'pairs';
  if (hasHeader(lines)) return 'csv';
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

const isObjectLine = (line: string): boolean =>
  line.trimStart().startsWith('{') && tryOr(() => JSON.parse(line), undefined) !== undefined;
