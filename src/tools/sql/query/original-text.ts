import type { ColumnDefinition, Database, Statement } from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';
import type { LoadedColumn } from '../files/column.ts';
import type { LoadedTable } from '../files/load-files.ts';
import { CELL_TEXT } from '../files/table-loader.ts';
import { findRowSources, isCompound } from './row-sources.ts';
import { sqlTokens } from './sql-tokens.ts';

/** A value and its text in the file. */
export class Spelled {
  readonly text: string;
  readonly isNumber: boolean;

  constructor(text: string, isNumber: boolean) {
    this.text = text;
    this.isNumber = isNumber;
  }
}

type Query = Statement<unknown[], unknown[]>;

/** A statement, and the output of its rows. */
export interface Output {
  readonly statement: Query;
  /** Replaces values that are cells of a file by their text in the file. */
  rendered(row: unknown[]): unknown[];
  /** Columns whose numbers the file may spell differently. */
  readonly respelled: readonly string[];
}

interface Source {
  readonly table: LoadedTable;
  readonly column: LoadedColumn;
  /** Its place in the table. */
  readonly at: number;
}

/**
 * Plans the output of a query: a result column that is a column of a file keeps the spelling of its cells. If each row is a
 * row of a table, each cell has its own spelling. If rows are merged (GROUP BY, DISTINCT, a subquery), it has that of its
 * column. If several queries are combined, a number is a plain number. `respelled` names columns that may lose their spelling.
 */
export function planOutput(
  db: Database,
  sql: string,
  statement: Query,
  tables: readonly LoadedTable[],
): Output {
  const plain = { statement, rendered: (row: unknown[]) => row, respelled: [] };
  if (tables.length === 0) return plain;
  if (isCompound(sql)) return { ...plain, respelled: spelledNames(sql, tables) };
  const sources = statement.columns().map((column) => sourceOf(column, tables));
  if (sources.every((source) => source === undefined)) return plain;
  const rows = withRows(db, sql, sources);
  const textOf = createLookup(db);
  const lost = sources.filter((source) => source && !rows?.places.has(source.table));
  return {
    respelled: [
      ...new Set(
        lost.flatMap((source) => (source && isMixed(source.column) ? source.column.name : [])),
      ),
    ],
    statement: rows?.statement ?? statement,
    rendered: (row) =>
      sources.map((source, at) => {
        if (source === undefined) return row[at];
        const rowAt = rows?.places.get(source.table);
        return render(row[at], source, rowAt === undefined ? null : row[rowAt], textOf);
      }),
  };
}

/** Columns of files that a statement names, or takes with `*`, and whose numbers are not printed as the file spells them. */
function spelledNames(sql: string, tables: readonly LoadedTable[]): string[] {
  const tokens = sqlTokens(sql).map(({ text }) => text);
  const words = new Set(tokens.filter((text, at) => text !== '*' || tokens[at - 1] !== '('));
  const columns = tables.flatMap((table) => table.columns);
  const spelled = columns.filter((column) => column.isSpelled || isMixed(column));
  const named = spelled.filter(({ name }) => words.has('*') || words.has(name.toLowerCase()));
  return [...new Set(named.map(({ name }) => name))];
}

/** Whether the spelling of a cell is only known from its row. */
const isMixed = ({ isSpelled, type, needsRow }: LoadedColumn): boolean =>
  needsRow && (isSpelled || type === 'mixed');

function sourceOf(
  { database, table, column }: ColumnDefinition,
  tables: readonly LoadedTable[],
): Source | undefined {
  const found = tables.find((one) => one.schema === database && one.name === table);
  const at = found?.columns.findIndex(({ name }) => name === column) ?? -1;
  const loaded = found?.columns[at];
  return found && loaded && { table: found, column: loaded, at };
}

interface WithRows {
  readonly statement: Query;
  /** Where the number of a table's row is in the result. */
  readonly places: ReadonlyMap<LoadedTable, number>;
}

/** The statement with the numbers of the rows behind its columns; undefined if they are not needed or not known. */
function withRows(
  db: Database,
  sql: string,
  sources: readonly (Source | undefined)[],
): WithRows | undefined {
  const needed = sources.flatMap((source) => (source?.column.needsRow ? [source.table] : []));
  const found = needed.length > 0 ? findRowSources(sql) : undefined;
  if (found === undefined) return undefined;
  const places = new Map<LoadedTable, number>();
  let added = '';
  for (const table of new Set(needed)) {
    const alias = found.aliases.get(table.name.toLowerCase());
    if (alias === undefined) continue;
    places.set(table, sources.length + places.size);
    added += `, "${alias.replaceAll('"', '""')}".rowid`;
  }
  return tryOr(() => {
    const text = `${sql.slice(0, found.insertAt)}${added} ${sql.slice(found.insertAt)}`;
    const statement = db.prepare<unknown[], unknown[]>(text);
    const width = sources.length + places.size;
    return statement.columns().length === width ? { statement, places } : undefined;
  }, undefined);
}

type Lookup = (source: Source, row: bigint) => string | null | undefined;

function createLookup(db: Database): Lookup {
  const find = db
    .prepare<[number, number, bigint], string | null>(
      `SELECT text FROM temp.${CELL_TEXT} WHERE table_id = ? AND column_id = ? AND row = ?`,
    )
    .pluck();
  return ({ table, at }, row) => find.get(table.id, at, row);
}

function render(value: unknown, source: Source, row: unknown, textOf: Lookup): unknown {
  const { column } = source;
  const isKnownRow = column.needsRow && typeof row === 'bigint';
  const text = isKnownRow ? textOf(source, row) : undefined;
  if (text !== undefined) return renderText(text, value, column);
  if (value === null) return isKnownRow ? column.nullText : null;
  return column.type === 'boolean' ? renderBoolean(value, column) : renderNumber(value, column);
}

/** The text of a cell from `cell_text`. A boolean of JSON becomes a boolean again. */
function renderText(text: string | null, value: unknown, { type }: LoadedColumn): unknown {
  if (text === null) return null;
  const isBoolean = type === 'mixed' && typeof value === 'bigint' && /^(?:true|false)$/.test(text);
  return isBoolean ? value === 1n : new Spelled(text, value !== null);
}

function renderNumber(value: unknown, { isSpelled, decimals }: LoadedColumn): unknown {
  if (!isSpelled || (typeof value !== 'number' && typeof value !== 'bigint')) return value;
  const text = Number(value).toFixed(decimals);
  return new Spelled(decimals > 0 && Number(text) === value ? text : String(value), true);
}

function renderBoolean(value: unknown, { isTyped }: LoadedColumn): unknown {
  if (value !== 0n && value !== 1n) return value;
  return isTyped ? value === 1n : String(value === 1n);
}
