import type { ColumnDefinition, Database } from 'better-sqlite3';
import { tryOr } from '../../../platform/try-or.ts';
import type { LoadedColumn } from '../files/column.ts';
import type { LoadedTable } from '../files/load-files.ts';
import { CELL_TEXT, quoteName } from '../files/table-loader.ts';
import type { SqlParams } from '../process/sql-protocol.ts';
import { type Query, rowsOf, Spelled } from './collect-rows.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

interface Output {
  /** Its rows. Values that are cells of a file are replaced by their text in the file. */
  rows(params: SqlParams): Iterable<unknown[]>;
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
  const isOne = !isCompound(sql);
  const sources = isOne ? statement.columns().map((column) => sourceOf(column, tables)) : [];
  if (sources.every((source) => source === undefined))
    return {
      rows: (params) => rowsOf(statement, params),
      respelled: isOne ? [] : spelledNames(sql, tables),
    };
  const { places, query } = withRows(db, sql, sources) ?? { query: statement };
  const render = createRenderer(db);
  const lost = sources.flatMap((source) =>
    source && isMixed(source.column) && !places?.has(source.table) ? source.column.name : [],
  );
  return {
    respelled: [...new Set(lost)],
    *rows(params) {
      for (const row of rowsOf(query, params))
        yield sources.map((source, at) =>
          source ? render(row[at], source, row[places?.get(source.table) ?? -1]) : row[at],
        );
    },
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

/**
 * The statement with the numbers of the rows behind its columns, and the places where they are; undefined if they are not
 * needed or not known.
 */
function withRows(db: Database, sql: string, sources: readonly (Source | undefined)[]) {
  const needed = sources.flatMap((source) => (source?.column.needsRow ? [source.table] : []));
  const found = needed.length > 0 ? findRowSources(sql) : undefined;
  if (found === undefined) return undefined;
  const places = new Map<LoadedTable, number>();
  let added = '';
  for (const table of new Set(needed)) {
    const alias = found.aliases.get(table.name.toLowerCase());
    if (alias === undefined) continue;
    places.set(table, sources.length + places.size);
    added += `, ${quoteName(alias)}.rowid`;
  }
  return tryOr(() => {
    const text = `${sql.slice(0, found.insertAt)}${added} ${sql.slice(found.insertAt)}`;
    const query = db.prepare<unknown[], unknown[]>(text);
    return query.columns().length === sources.length + places.size ? { query, places } : undefined;
  }, undefined);
}

/** Returns the value of a cell as the file spells it. The row is a number if it is known. */
function createRenderer(db: Database) {
  const find = db
    .prepare<[number, number, bigint], string | null>(
      `SELECT text FROM temp.${CELL_TEXT} WHERE table_id = ? AND column_id = ? AND row = ?`,
    )
    .pluck();
  return (value: unknown, { table, column, at }: Source, row: unknown): unknown => {
    const isKnown = column.needsRow && typeof row === 'bigint';
    const text = isKnown ? find.get(table.id, at, row) : undefined;
    if (text !== undefined) return renderText(text, value, column);
    if (value === null) return isKnown ? column.nullText : null;
    return column.type === 'boolean' ? renderBoolean(value, column) : renderNumber(value, column);
  };
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

const compounds: ReadonlySet<string> = new Set(['union', 'intersect', 'except']);

/** Whether a statement combines the results of several queries. */
const isCompound = (sql: string): boolean =>
  sqlTokens(sql).some(({ text, kind }) => kind === 'word' && compounds.has(text));

const merging: ReadonlySet<string> = new Set([...compounds, 'group', 'having']);
const afterFrom: ReadonlySet<string> = new Set(['where', 'order', 'limit', 'window', ';']);
const notAlias: ReadonlySet<string> = new Set(
  'join left right full inner outer cross natural on using indexed not as where order limit window , ; ( ) . ='.split(
    ' ',
  ),
);

/**
 * The tables whose rows a query returns, in lower case, with their names in the outermost FROM; undefined if rows are merged,
 * or if that is not known. `insertAt` is before the FROM: columns can be added there.
 */
function findRowSources(sql: string) {
  const outer = sqlTokens(sql).filter(({ depth }) => depth === 0);
  const isWord = (token: SqlToken | undefined, ...words: string[]) =>
    token?.kind === 'word' && words.includes(token.text);
  const select = outer.findIndex((token) => isWord(token, 'select'));
  const from = outer.findIndex(
    (token, at) => at > select && isWord(token, 'from') && !isWord(outer[at - 1], 'distinct'),
  );
  if (select === -1 || from === -1 || isWord(outer[select + 1], 'distinct')) return undefined;
  const rest = outer.slice(from + 1);
  if (rest.some(({ text, kind }) => kind === 'word' && merging.has(text))) return undefined;
  const end = rest.findIndex(({ text, kind }) => kind !== 'quoted' && afterFrom.has(text));
  const aliases = aliasesIn(end === -1 ? rest : rest.slice(0, end));
  return aliases && { insertAt: outer[from]?.at ?? 0, aliases };
}

/** Undefined if it contains one table twice. */
function aliasesIn(tokens: readonly SqlToken[]): ReadonlyMap<string, string> | undefined {
  const aliases = new Map<string, string>();
  const starts = tokens.flatMap(({ text }, at) => (text === ',' || text === 'join' ? at + 1 : []));
  for (const start of [0, ...starts]) {
    const nameAt = tokens[start + 1]?.text === '.' ? start + 2 : start;
    const name = tokens[nameAt]?.text;
    if (name === undefined || name === '(') continue;
    if (aliases.has(name)) return undefined;
    aliases.set(name, aliasAt(tokens, nameAt) ?? name);
  }
  return aliases;
}

function aliasAt(tokens: readonly SqlToken[], nameAt: number): string | undefined {
  const next = tokens[nameAt + 1]?.text === 'as' ? tokens[nameAt + 2] : tokens[nameAt + 1];
  if (next === undefined) return undefined;
  return next.kind === 'quoted' || !notAlias.has(next.text) ? next.text : undefined;
}
