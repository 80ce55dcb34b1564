import type { Database, Statement } from 'better-sqlite3';
import { sqlTokens } from '../query/sql-tokens.ts';

export interface OneStatement {
  readonly text: string;
  readonly statement: Statement<unknown[], unknown[]>;
}

/**
 * Splits a text into statements. Each is prepared after the previous ones were performed. A semicolon inside a trigger
 * does not end the statement.
 *
 * @throws Error of SQLite.
 */
export function* splitStatements(db: Database, sql: string): Generator<OneStatement> {
  const separators = sqlTokens(sql).filter(({ text, kind }) => text === ';' && kind === 'sign');
  const ends = [...separators.map(({ at }) => at + 1), sql.length];
  let start = 0;
  for (const end of ends) {
    const text = sql.slice(start, end);
    const isEmpty = sqlTokens(text).every((token) => token.text === ';');
    const statement = isEmpty ? undefined : prepare(db, text, end === sql.length);
    if (!isEmpty && statement === undefined) continue;
    start = end;
    if (statement) yield { text, statement };
  }
}

/** Undefined if the statement is incomplete. */
function prepare(
  db: Database,
  text: string,
  isLast: boolean,
): OneStatement['statement'] | undefined {
  try {
    return db.prepare<unknown[], unknown[]>(text);
  } catch (error) {
    if (!isLast && error instanceof Error && error.message === 'incomplete input') return undefined;
    throw error;
  }
}
