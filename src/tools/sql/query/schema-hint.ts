import type { Database } from 'better-sqlite3';
import { messageOf } from '../../../contract/errors.ts';
import { closest } from '../../../contract/text/closest.ts';
import { CELL_TEXT } from '../files/table-loader.ts';

const MAX_SCHEMA_CHARS = 4_000;
const MAX_TABLES = 100;

/** The message of a failed statement. For an unknown name, it suggests a similar one and lists all tables and columns. */
export function problemOf(error: unknown, db: Database | undefined): string {
  const message = messageOf(error);
  const found = /(?:no such (table|column)|ambiguous column name): (.*)$/.exec(message);
  if (db === undefined || !found) return message;
  const tables = tablesOf(db);
  const wanted = (found[2] ?? '')
    .replace(/ - should this be .*$/, '')
    .replace(/^.*\./, '')
    .replace(/^"|"$/g, '');
  const meant = closest(
    wanted,
    tables.flatMap(({ name, columns }) => (found[1] === 'table' ? name : columns)),
  );
  return `${message}.${meant ? ` Did you mean "${meant}"?` : ''} ${describe(tables)}`;
}

interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

function tablesOf(db: Database): TableColumns[] {
  const master = (name: string) =>
    `SELECT name FROM ${name} WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
  const names = db
    .prepare<[], string>(
      `${master('sqlite_temp_master')} AND name <> '${CELL_TEXT}' UNION ${master('sqlite_master')} ORDER BY name LIMIT ${MAX_TABLES}`,
    )
    .pluck()
    .all();
  const columnsOf = db.prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)').pluck();
  return names.map((name) => ({ name, columns: columnsOf.all(name) }));
}

/** All tables and columns, in one line. */
function describe(tables: readonly TableColumns[]): string {
  if (tables.length === 0) return 'The database has no tables';
  const text = tables.map(({ name, columns }) => `${name}(${columns.join(', ')})`).join('; ');
  return `The database has: ${text.length > MAX_SCHEMA_CHARS ? `${text.slice(0, MAX_SCHEMA_CHARS)}…` : text}`;
}
