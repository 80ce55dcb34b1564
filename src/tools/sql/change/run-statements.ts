import type { Database } from 'better-sqlite3';
import type { SqlRequest, SqlResult } from '../process/sql-protocol.ts';
import { boundParams } from '../query/bound-params.ts';
import { collectRows, cut } from '../query/collect-rows.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import { createChangeCounts } from './change-counts.ts';
import { type OneStatement, splitStatements } from './split-statements.ts';
import { actionOf, type StatementAction } from './statement-action.ts';

/** The effect of the statements of a change. */
interface RanStatements {
  /** In words: `changes 12 rows in orders`. */
  readonly changes: readonly string[];
  /** The rows of the last statement that returned some. */
  readonly rows: Pick<SqlResult, 'columns' | 'rows' | 'total_rows' | 'truncated'> | undefined;
}

const allowed: ReadonlySet<string> = new Set(
  'insert replace update delete create alter drop reindex analyze select values'.split(' '),
);
const transactions: ReadonlySet<string> = new Set(
  'begin commit end rollback savepoint release'.split(' '),
);
const MAX_NAME_CHARS = 128;

/**
 * Runs all statements in one transaction: all of them, or none.
 *
 * @throws Error of SQLite, or about a statement that is not allowed.
 */
export function runStatements(db: Database, request: SqlRequest): RanStatements {
  const counts = createChangeCounts(db);
  let rows: RanStatements['rows'];
  let count = 0;
  assertOneFor(request);
  db.exec('BEGIN');
  for (const one of splitStatements(db, request.sql)) {
    const action = actionOf(one.text);
    assertAllowed(action);
    count += 1;
    const end = counts.begin(action);
    rows = run(one, request) ?? rows;
    end();
  }
  if (count === 0) throw new Error('there is no statement in it');
  db.exec('COMMIT');
  return { changes: counts.described(), rows };
}

/** Parameters can be used with one statement only. */
function assertOneFor({ sql, params }: SqlRequest): void {
  const tokens = sqlTokens(sql).map(({ text }) => text);
  const isLast = tokens.slice(tokens.indexOf(';')).every((text) => text === ';');
  if (tokens.includes(';') && !isLast && boundParams(params).length > 0)
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

function run({ statement }: OneStatement, request: SqlRequest): RanStatements['rows'] {
  const params = boundParams(request.params);
  if (!statement.reader) {
    statement.run(...params);
    return undefined;
  }
  const columns = statement.columns().map(({ name }) => cut(name, MAX_NAME_CHARS));
  const found = statement
    .raw(true)
    .safeIntegers(true)
    .iterate(...params) as Iterable<unknown[]>;
  return { columns, ...collectRows(found, JSON.stringify(columns).length, request) };
}
