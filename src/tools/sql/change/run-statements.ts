import type { Database } from 'better-sqlite3';
import type { SqlRequest, SqlResult } from '../process/sql-protocol.ts';
import { boundParams, collectRows, columnsOf, type Query, rowsOf } from '../query/collect-rows.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import { actionOf, createChangeCounts, type StatementAction } from './change-counts.ts';

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
export function runStatements(db: Database, request: SqlRequest): SqlResult {
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
function* statementsIn(db: Database, sql: string): Generator<{ text: string; statement: Query }> {
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
function prepare(db: Database, text: string, isLast: boolean): Query | undefined {
  try {
    return db.prepare<unknown[], unknown[]>(text);
  } catch (error) {
    if (!isLast && error instanceof Error && error.message === 'incomplete input') return undefined;
    throw error;
  }
}
