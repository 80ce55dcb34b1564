import Database from 'better-sqlite3';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { LoadedTable } from '../files/load-files.ts';
import { quoteName } from '../files/table-loader.ts';
import {
  MAX_DATABASE_BYTES,
  type SqlFindings,
  type SqlRequest,
  type SqlResult,
} from '../process/sql-protocol.ts';
import { withBooleans } from '../query/boolean-literals.ts';
import { boundParams, collectRows, columnsOf, type Query, rowsOf } from '../query/collect-rows.ts';
import { type DatabaseFile, hardened, journalMode, readContent } from '../query/query-database.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import { tableReport } from '../query/table-report.ts';
import { actionOf, createChangeCounts, type StatementAction } from './change-counts.ts';

/** Opens a copy of the database in memory; an empty one if the database does not exist. */
export const openCopy = (file: DatabaseFile | undefined): Database.Database =>
  hardened(new Database(file === undefined ? ':memory:' : readContent(file.fd)));

/** Performs the statements of a request on the copy, and returns its new content. */
export function changeCopy(
  db: Database.Database,
  request: SqlRequest,
  tables: readonly LoadedTable[],
): SqlFindings {
  for (const { name } of tables) keepFromChanges(db, name);
  const ran = runStatements(db, { ...request, sql: withBooleans(request.sql, tables) });
  const content = contentOf(db, request.database);
  if (content.length > MAX_DATABASE_BYTES)
    throw new Error('the database would be larger than 64 MiB');
  const isPreview = request.change === 'preview';
  const result = { ...ran, ...tableReport(tables) };
  return { result, content: isPreview ? Buffer.from(sha256(content)) : content };
}

/** The table of a file hides a table of the database with the same name: rows written to it would be lost. */
function keepFromChanges(db: Database.Database, name: string): void {
  const problem = `"${name}" is the table of a file, which is only read; the table of the database is main.${name}`;
  for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
    db.exec(
      `CREATE TEMP TRIGGER ${quoteName(`capstan_keep_${event}_${name}`)} BEFORE ${event} ON temp.${quoteName(name)}
       BEGIN SELECT RAISE(ABORT, '${problem}'); END`,
    );
  }
}

/** A copy in memory has no write-ahead log. The journal mode of the file is restored. */
function contentOf(db: Database.Database, file: DatabaseFile | undefined): Buffer {
  const content = db.serialize();
  if (file !== undefined && content.length > 0)
    journalMode.of(file.fd).copy(content, journalMode.at);
  return content;
}

const allowed: ReadonlySet<string> = new Set(
  'insert replace update delete create alter drop reindex analyze select values'.split(' '),
);
const transactions: ReadonlySet<string> = new Set(
  'begin commit end rollback savepoint release'.split(' '),
);

/**
 * Runs all statements in one transaction: all of them, or none.
 *
 * @returns The changes in words (`changes 12 rows in orders`), and the rows of the last statement that returned some.
 * @throws Error of SQLite, or about a statement that is not allowed.
 */
function runStatements(db: Database.Database, request: SqlRequest): SqlResult {
  const counts = createChangeCounts(db);
  let rows: Omit<SqlResult, 'changes'> = { columns: [], rows: [], truncated: false };
  let count = 0;
  assertOneFor(request);
  db.exec('BEGIN');
  for (const { text, statement } of statementsIn(db, request.sql)) {
    const action = actionOf(text);
    assertAllowed(action);
    count += 1;
    const end = counts.begin(action);
    if (statement.reader) {
      const columns = columnsOf(statement);
      rows = { columns, ...collectRows(rowsOf(statement, request.params), columns, request) };
    } else {
      statement.run(...boundParams(request.params));
    }
    end();
  }
  if (count === 0) throw new Error('there is no statement in it');
  db.exec('COMMIT');
  return { changes: counts.described(), ...rows };
}

/** Parameters can be used with one statement only. */
function assertOneFor({ sql, params }: SqlRequest): void {
  const tokens = sqlTokens(sql).map(({ text }) => text);
  const isLast = tokens.slice(tokens.indexOf(';')).every((text) => text === ';');
  if (tokens.includes(';') && !isLast && Object.keys(params).length > 0)
    throw new Error(
      'params are valid with a single statement; with several, write the values into their text',
    );
}

function assertAllowed(action: StatementAction | undefined): asserts action is StatementAction {
  const verb = action?.verb ?? '';
  if (allowed.has(verb)) return;
  if (transactions.has(verb))
    throw new Error(
      `leave ${verb.toUpperCase()} out: all statements of a call are one transaction`,
    );
  throw new Error(
    `${verb.toUpperCase()} is not allowed; statements that change are INSERT, REPLACE, UPDATE, DELETE, CREATE, ALTER, DROP, REINDEX, ANALYZE`,
  );
}

/** Each is prepared after the previous ones were performed. A semicolon inside a trigger does not end the statement. */
function* statementsIn(
  db: Database.Database,
  sql: string,
): Generator<{ text: string; statement: Query }> {
  const separators = sqlTokens(sql).filter(({ text, kind }) => text === ';' && kind === 'sign');
  let start = 0;
  for (const end of [...separators.map(({ at }) => at + 1), sql.length]) {
    const text = sql.slice(start, end);
    const isEmpty = sqlTokens(text).every((token) => token.text === ';');
    const statement = isEmpty ? undefined : prepare(db, text, end === sql.length);
    if (statement) yield { text, statement };
    if (statement || isEmpty) start = end;
  }
}

/** Undefined if the statement is incomplete. */
function prepare(db: Database.Database, text: string, isLast: boolean): Query | undefined {
  try {
    return db.prepare<unknown[], unknown[]>(text);
  } catch (error) {
    if (!isLast && error instanceof Error && error.message === 'incomplete input') return undefined;
    throw error;
  }
}
