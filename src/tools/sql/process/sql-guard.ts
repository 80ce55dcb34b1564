import { sqlTokens } from '../query/sql-tokens.ts';

/** How a statement may begin. Its effect is checked again on the prepared statement. */
const beginnings: ReadonlySet<string> = new Set(['select', 'with', 'values', 'explain', 'pragma']);

/** The pragmas that only describe tables, also as table functions: `pragma_table_info('t')`. */
const describing: ReadonlySet<string> = new Set(['table_info', 'table_list', 'index_list']);

/** Names that reach beyond the database, anywhere outside text literals. */
const forbiddenNames =
  /^(pragma(_.*)?|attach|detach|vacuum|load_extension|fts3_tokenizer|writefile|readfile|edit)$/;

/**
 * Why a statement may not run; undefined if it may be prepared. One of several checks: SQLite's own `readonly` is true for
 * ATTACH, and a read-only connection can attach other files.
 */
export function sqlProblem(sql: string): string | undefined {
  const words = wordsOf(sql);
  const [first] = words;
  if (first === undefined) return 'there is no statement in it';
  if (!beginnings.has(first)) {
    return `only SELECT, WITH, VALUES and EXPLAIN are allowed, not ${first.toUpperCase()}; a statement that changes the database needs write access`;
  }
  if (first === 'pragma') return pragmaProblem(words, sql);
  return forbiddenProblem(words, 'the query may only read tables of this database');
}

/** The same for statements that change a database. How each may begin is checked when it is performed. */
export const changeProblem = (sql: string): string | undefined =>
  forbiddenProblem(wordsOf(sql), 'statements may only change this database');

function forbiddenProblem(words: readonly string[], why: string): string | undefined {
  const forbidden = words.find(
    (word) => forbiddenNames.test(word) && !describing.has(word.replace(/^pragma_/, '')),
  );
  if (forbidden === undefined) return undefined;
  return `"${forbidden}" is not allowed: ${why} (sqlite_master lists its tables)`;
}

/** `PRAGMA table_info(orders)`, also of one schema (`PRAGMA main.table_list`); none that sets something. */
function pragmaProblem([, second = '', third]: readonly string[], sql: string): string | undefined {
  const name = ['main', 'temp'].includes(second) ? third : second;
  if (name !== undefined && describing.has(name) && !sql.includes('=')) return undefined;
  return `of PRAGMA only ${[...describing].join(', ')} are allowed`;
}

/** Words and quoted names in lower case. */
const wordsOf = (sql: string): string[] =>
  sqlTokens(sql)
    .filter(({ kind }) => kind === 'word' || kind === 'quoted')
    .map(({ text }) => text.trim());
