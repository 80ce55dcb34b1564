import type { Database } from 'better-sqlite3';
import { editDistance } from '../../../contract/text/closest.ts';
import { CELL_TEXT } from '../files/table-loader.ts';

const MAX_SCHEMA_CHARS = 4_000;
const MAX_TABLES = 100;
const MAX_NEAR = 3;

interface TableColumns {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The message of a failed statement. For an unknown name, it suggests similar ones and lists all tables and columns. */
export function problemOf(error: unknown, db: Database | undefined): string {
  const message = error instanceof Error ? error.message : String(error);
  const found = /(?:no such (table|column)|ambiguous column name): (.*)$/.exec(message);
  if (db === undefined || !found) return message;
  const tables = tablesOf(db);
  const wanted = (found[2] ?? '')
    .replace(/ - should this be .*$/, '')
    .replace(/^.*\./, '')
    .replace(/^"|"$/g, '');
  const names =
    found[1] === 'table'
      ? tables.map(({ name }) => name)
      : tables.flatMap(({ columns }) => columns);
  const near = nearNames(wanted, names);
  const guess =
    near.length > 0 ? ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?` : '';
  return `${message}.${guess} ${describe(tables)}`;
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

/** Names that differ in case, in a few letters, or contain one another. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const plain = (name: string) =>
    name
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const goal = plain(wanted);
  const scored = [...new Set(names)].map((name) => {
    const other = plain(name);
    const isPart =
      goal.length > 2 && other.length > 2 && (other.includes(goal) || goal.includes(other));
    return { name, distance: isPart ? 1 : editDistance(goal, other) };
  });
  return scored
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(goal.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
}
