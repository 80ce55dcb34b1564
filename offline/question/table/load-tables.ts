import { parse } from 'node:path';
import type { HandlerContext } from '../../context.ts';
import { plainText } from '../../language/escape.ts';
import { TaskError } from '../../task-error.ts';
import { quoteName, quoteText } from '../sql/quote.ts';
import { connectTables } from './join-tables.ts';
import { type NamedFile, type Place, pathOf } from './place.ts';
import { type Declared, describeTable, nounsOf, type Table } from './schema.ts';

/** The answer of `sql_query`. */
export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly total_rows?: number;
  readonly truncated: boolean;
  readonly tables?: Readonly<Record<string, Report>>;
}

interface Cell {
  readonly line?: number;
  readonly text?: string;
}

interface Report {
  readonly format?: string;
  /** The list of a JSON file. */
  readonly at?: string;
  readonly rows: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly exceptions?: Readonly<
    Record<string, { readonly count: number; readonly cells: readonly Cell[] }>
  >;
  readonly malformed?: { readonly count: number; readonly rows?: readonly Cell[] };
}

/** Number of rows that are read for the values of columns. */
const SAMPLE_ROWS = 1_000;

const MAX_TABLES = 20;

export const isDatabase = (path: string): boolean => /\.(?:db|db3|sqlite|sqlite3)$/i.test(path);

/** Where the tables of a file or database are. */
export const placeOf = (path: string): Place =>
  isDatabase(path) ? { database: path } : { files: { [tableName(path)]: path } };

/** Runs a statement against a database, or files as the tables of their names. */
export async function runSql(
  context: HandlerContext,
  { database, files = {} }: Place,
  sql: string,
  maxRows = 10_000,
): Promise<SqlAnswer> {
  const all = Object.entries(files);
  const used = all.filter(([name]) => all.length === 1 || sql.includes(name));
  const args = { database, files: Object.fromEntries(used), sql, max_rows: maxRows };
  const asked = [...(database ? [database] : []), ...used.map(([, file]) => pathOf(file))].join(
    ', ',
  );
  return (await context.call('sql_query', args, `Ask ${asked}`)) as SqlAnswer;
}

/** Reads the tables of a file or database, described by their first rows. Those of a database are also joined. */
export const loadTables = (context: HandlerContext, path: string): Promise<readonly Table[]> =>
  isDatabase(path) ? loadDatabase(context, path) : loadFile(context, path);

async function loadFile(context: HandlerContext, path: string): Promise<readonly Table[]> {
  if (!dataFile.test(path))
    throw new TaskError(
      'NOT_FOR_ME',
      `${path} does not have the name of a table, log or database.`,
    );
  const name = tableName(path);
  try {
    return [await loadList(context, path, { [name]: path })];
  } catch (error) {
    const lists = listsIn(error);
    if (lists.length === 0) throw unreadable(error, path);
    const files = lists.map((at) => ({ [tableName(at)]: { path, at } }));
    return connectTables(await Promise.all(files.map((one) => loadList(context, path, one))));
  }
}

/** The names of the lists of a JSON file that has several. None if they can't all be names of tables. */
function listsIn(error: unknown): readonly string[] {
  const { message } = error as { readonly message: string };
  const [, said = ''] = /it contains several lists; .*?: (.*)$/.exec(message) ?? [];
  const names = [...said.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const tables = new Set(names.map(tableName));
  const isPlain = names.every((name) => /^[a-z_]\w{0,39}$/i.test(name));
  return isPlain && tables.size === names.length && names.length <= MAX_TABLES ? names : [];
}

/** Reads a file, or one list of it, as the table of its name. */
async function loadList(
  context: HandlerContext,
  path: string,
  files: Readonly<Record<string, NamedFile>>,
): Promise<Table> {
  const [name = '', file = path] = Object.entries(files)[0] ?? [];
  const place = { files };
  const sql = quoteName(name);
  const statement = `SELECT * FROM ${sql} LIMIT ${SAMPLE_ROWS}`;
  const {
    columns: names,
    rows: sample,
    tables,
  } = await runSql(context, place, statement, SAMPLE_ROWS);
  const report = tables?.[name] ?? { columns: {}, rows: sample.length };
  const { format = '', at, columns: types, rows } = report;
  // The rows of the list `rooms` in museum.json are rooms, not museums.
  const isOfFile = typeof file === 'string' && (at === undefined || /s$/i.test(parse(path).name));
  const own = [...(isOfFile ? nounsOf(path) : []), ...(at ? nounsOf(at) : [])];
  // The lines of events.log are events; those of worker.log are not workers.
  const isOfLine = /^(?:event|entry|message|request|error|warning|line|log)$/;
  const nouns = format === 'log' ? own.filter((noun) => isOfLine.test(noun)) : own;
  const found = { names, types, sample, rows, notes: notesOf(report, path), odd: oddCells(report) };
  return { ...describeTable({ ...{ sql, path, place, format, nouns }, ...found }), list: at };
}

/** Names of files that may have rows. They may have no extension. */
const dataFile =
  /(?:\.(?:csv|tsv|json|jsonl|ndjson|log|txt|tab|dat|out)(?:\.\d+)?|(?:^|\/)[^./]+)$/i;

/** The error for a file that is not a table. Lines of an unknown log format can still be searched. */
function unreadable(error: unknown, path: string): unknown {
  const { message } = error as { readonly message: string };
  if (/: it is empty$/.test(message))
    return new TaskError('FILE_EMPTY', `${path} is empty: it has 0 rows and no columns.`);
  if (!/\.(?:log|txt)$/i.test(path) || !/format|no table|columns/i.test(message)) return error;
  return new TaskError(
    // Another capsule may take a text file, and reports what it can't understand.
    path.endsWith('.txt') ? 'NOT_FOR_ME' : 'FORMAT_UNKNOWN',
    `${message} Ask for its lines: how many lines of ${path} contain "ERROR"?`,
  );
}

const missing = /^(?:|na|n\/a|none|null|nan|-|–|\?)$/i;

/** By numeric column, a cell that is neither a number nor a mark for an empty value. */
const oddCells = ({ exceptions = {} }: Report): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(exceptions).flatMap(([name, { cells }]) => {
      const odd = cells.find(({ text }) => !missing.test(String(text ?? '').trim()));
      return odd ? [[name, String(odd.text)]] : [];
    }),
  );

/** The name of a file's table: `orders` for `data/orders.csv`. */
function tableName(path: string): string {
  const plain = parse(path)
    .name.toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_');
  const name = plain.replace(/^_+|_+$/g, '');
  return /^[a-z_]/.test(name) ? name.slice(0, 40) : 't';
}

function notesOf({ malformed, exceptions = {} }: Report, path: string): string[] {
  const lines = malformed?.rows?.map(({ line }) => line).filter((line) => line !== undefined) ?? [];
  const more =
    Math.max(lines.length, malformed?.count ?? 0) > Math.min(5, lines.length) ? ', …' : '';
  const where = lines.length > 0 ? ` (line ${lines.slice(0, 5).join(', ')}${more})` : '';
  const odd = Object.entries(exceptions).map(([name, { count, cells }]) => {
    const shown = cells.slice(0, 3).map(({ text = '' }) => JSON.stringify(plainText(String(text))));
    return `${count} cells of "${plainText(name)}" have another format than the rest of the column and count as empty: ${shown.join(', ')}.`;
  });
  if (!malformed) return odd;
  const cut = `${malformed.count} lines of ${path} have another format than the rest and are left out or cut${where}.`;
  return [cut, ...odd];
}

const TABLES =
  "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name";

async function loadDatabase(context: HandlerContext, path: string): Promise<readonly Table[]> {
  const { rows } = await runSql(context, placeOf(path), TABLES);
  if (rows.length === 0) throw new TaskError('NOT_FOUND', `${path} has no tables.`);
  const tables: Table[] = [];
  for (const [name, sql] of rows.slice(0, MAX_TABLES)) {
    const keys = keysOf(String(name), String(sql ?? ''));
    tables.push({ ...(await loadTable(context, path, String(name))), keys });
  }
  return connectTables(tables);
}

async function loadTable(context: HandlerContext, path: string, name: string): Promise<Table> {
  const statement = `SELECT * FROM ${quoteName(name)} LIMIT ${SAMPLE_ROWS}`;
  const { columns, rows: sample } = await runSql(context, placeOf(path), statement, SAMPLE_ROWS);
  const isNumber = (at: number) =>
    sample.some((row) => row[at] !== null) &&
    sample.every((row) => row[at] === null || typeof row[at] === 'number');
  const types = Object.fromEntries(
    columns.map((column, at) => [column, isNumber(at) ? 'real' : 'text']),
  );
  const rows = sample.length < SAMPLE_ROWS ? sample.length : Number.POSITIVE_INFINITY;
  const about = { sql: quoteName(name), path, place: placeOf(path), nouns: nounsOf(name) };
  const found = { names: columns, types, sample, rows };
  return describeTable({ ...about, ...found, format: 'sqlite', notes: [] });
}

/** The foreign keys of a CREATE TABLE statement. */
function keysOf(table: string, sql: string): Declared[] {
  const name = '[`"\\[]?([\\w ]+?)[`"\\]]?';
  const target = `REFERENCES\\s+${name}\\s*(?:\\(\\s*${name}\\s*\\))?(?=[\\s,)])`;
  const starts = [`FOREIGN\\s+KEY\\s*\\(\\s*${name}\\s*\\)\\s*`, `[(,]\\s*${name}\\s+\\w[^,()]*?`];
  return starts
    .flatMap((start) => [...sql.matchAll(new RegExp(`${start}${target}`, 'gi'))])
    .map(([, from = '', to = '', key = '']) => [table, from, to, key]);
}

/**
 * Adds texts that are values of a table, in any case, to its columns, if not all rows were read.
 *
 * @returns Whether there are any.
 */
export async function lookUpValues(
  context: HandlerContext,
  table: Table,
  texts: readonly string[],
): Promise<boolean> {
  const columns = table.columns.filter(({ isNumber, isTime }) => !isNumber && !isTime);
  if (table.isWhole || texts.length === 0 || columns.length === 0) return false;
  const list = texts
    .slice(0, 40)
    .map((text) => quoteText(text.toLowerCase()))
    .join(', ');
  const parts = columns
    .slice(0, 30)
    .map(
      ({ sql }, at) =>
        `SELECT ${at}, ${sql} FROM ${table.sql} WHERE lower(${sql}) IN (${list}) GROUP BY 2`,
    );
  const { rows } = await runSql(context, table.place, parts.join(' UNION ALL '), 200);
  for (const [at, value] of rows)
    (columns[Number(at)]?.values as Set<string> | undefined)?.add(String(value));
  return rows.length > 0;
}
