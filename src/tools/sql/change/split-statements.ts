import type { Database, Statement } from 'better-sqlite3';
import { sqlTokens } from '../query/sql-tokens.ts';

export interface OneStatement {
  readonly text: string;
  readonly statement: Statement<unknown[], unknown[]>;
}

/**
 * The statements of a text, one after the other: each is prepared when the ones before it were performed. A semicolon
 * inside a trigger ends no statement.
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

/** Undefined if the statement goes on. */
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
