import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';
import { inferColumns } from './infer-columns.ts';
import { nounsOfName } from './nouns-of-name.ts';
import type { Cell, Column, Row, Table } from './table.ts';

/** Rows looked at to learn what the columns hold, and rows read at once. */
const SAMPLE_ROWS = 2_000;
const PAGE_ROWS = 10_000;
/** More would need more queries than one attempt is granted. */
const MAX_ROWS = 300_000;
/** Tables of a database that are looked at. */
const MAX_TABLES = 30;

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated?: boolean;
}

/** One statement through `sql_query`. */
export async function runSql(
  context: HandlerContext,
  database: string,
  sql: string,
  maxRows: number,
): Promise<Answer> {
  const args = { database, sql, max_rows: maxRows };
  const answer = (await context.call('sql_query', args, `Read ${database}`)) as Answer;
  if (!Array.isArray(answer?.columns) || !Array.isArray(answer.rows)) {
    throw new TaskError('TOOL_FAILED', `sql_query gave no rows for ${database}.`);
  }
  return answer;
}

/** Names of the tables and views of a database. @throws TaskError `INPUT_INVALID` where there are none, or over 30. */
export async function tableNames(context: HandlerContext, database: string): Promise<string[]> {
  const sql =
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
  const { rows } = await runSql(context, database, sql, 1_000);
  const names = rows.map(([name]) => String(name));
  if (names.length === 0) throw new TaskError('INPUT_INVALID', `${database} has no tables.`);
  if (names.length > MAX_TABLES) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${database} has ${names.length} tables; at most ${MAX_TABLES} are looked at without a language model.`,
    );
  }
  return names;
}

/** Opens one table of a database; a sample of it says what the columns hold. */
export async function openDatabaseTable(
  context: HandlerContext,
  database: string,
  name: string,
): Promise<Table> {
  const sample = await runSql(context, database, `SELECT * FROM ${quoted(name)}`, SAMPLE_ROWS);
  const rows = sample.rows.map(toRow);
  const isWhole = sample.truncated !== true && rows.length < SAMPLE_ROWS;
  const columns = inferColumns(sample.columns, rows).map((column) =>
    withValues(column, rows, name),
  );
  return {
    name: `${name} in ${database}`,
    format: 'SQLite table',
    isLog: false,
    columns,
    rowNouns: nounsOfName(name),
    skipped: { count: 0, lines: [] },
    isWhole,
    rows: (used) => (isWhole ? once(rows) : readPages(context, { database, name, columns }, used)),
  };
}

async function* once(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** A date column of a database that holds text is known by its values; numbers are numbers by their type. */
const withValues = (column: Column, rows: readonly Row[], table: string): Column => {
  const hasText = rows.some((row) => typeof row[column.index] === 'string');
  return { ...column, table, type: column.type === 'number' && hasText ? 'text' : column.type };
};

/** Only the columns that count are read; the others are empty. */
async function* readPages(
  context: HandlerContext,
  table: { database: string; name: string; columns: readonly Column[] },
  used: readonly number[],
): AsyncGenerator<readonly Row[]> {
  const { database, name, columns } = table;
  const names = used.map((index) => quoted(columns[index]?.name ?? ''));
  const list = names.length > 0 ? names.join(', ') : 'NULL';
  for (let offset = 0; ; ) {
    const sql = `SELECT ${list} FROM ${quoted(name)} LIMIT ${PAGE_ROWS} OFFSET ${offset}`;
    const answer = await runSql(context, database, sql, PAGE_ROWS);
    if (answer.rows.length === 0) return;
    yield answer.rows.map((cells) => spread(cells, used, columns.length));
    if (answer.truncated !== true && answer.rows.length < PAGE_ROWS) return;
    offset += answer.rows.length;
    if (offset > MAX_ROWS) {
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `${name} has more than ${MAX_ROWS} rows. Give the SQL in back-ticks: it is run as it stands.`,
      );
    }
  }
}

function spread(cells: readonly unknown[], used: readonly number[], width: number): Row {
  const row: Cell[] = new Array(width).fill(null);
  used.forEach((index, at) => {
    row[index] = toCell(cells[at]);
  });
  return row;
}

const toRow = (cells: readonly unknown[]): Row => cells.map(toCell);

const toCell = (value: unknown): Cell => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
};

/** An identifier for SQLite. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
