import type { LoadedTable } from '../files/load-files.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

const BOOLEAN = /^'(true|false)'$/i;
const equality: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', 'is', 'not']);

/**
 * Replaces `'true'` and `'false'` by 1 and 0 if they are compared with a boolean column: it is stored as numbers. A name
 * counts as boolean if the column is boolean in every table that has it.
 */
export function withBooleans(sql: string, tables: readonly LoadedTable[]): string {
  const columns = tables.flatMap(({ columns: all }) => all);
  const others = new Set(
    columns.filter(({ type }) => type !== 'boolean').map(({ name }) => name.toLowerCase()),
  );
  const booleans = new Set(
    columns.map(({ name }) => name.toLowerCase()).filter((name) => !others.has(name)),
  );
  if (booleans.size === 0) return sql;
  const tokens = sqlTokens(sql);
  const replaced = tokens.filter(
    (token, at) =>
      BOOLEAN.test(token.text) && comparedNames(tokens, at).some((name) => booleans.has(name)),
  );
  return replaced.reduceRight((text, { at, text: literal }) => {
    const value = literal.toLowerCase() === "'true'" ? '1' : '0';
    return `${text.slice(0, at)}${value}${text.slice(at + literal.length)}`;
  }, sql);
}

/** Names of columns that a literal is compared with: before or after `=`, or before IN. */
function comparedNames(tokens: readonly SqlToken[], at: number): string[] {
  const names: (SqlToken | undefined)[] = [];
  const isEquality = (token: SqlToken | undefined) =>
    token !== undefined && equality.has(token.text);
  let before = at - 1;
  if (isEquality(tokens[before])) {
    while (isEquality(tokens[before])) before -= 1;
    names.push(tokens[before]);
  }
  if (isEquality(tokens[at + 1])) {
    names.push(tokens[at + 3]?.text === '.' ? tokens[at + 4] : tokens[at + 2]);
  }
  names.push(nameBeforeIn(tokens, at));
  return names.flatMap((token) => (token && token.kind !== 'literal' ? token.text : []));
}

function nameBeforeIn(tokens: readonly SqlToken[], at: number): SqlToken | undefined {
  let open = at - 1;
  while (tokens[open]?.kind === 'literal' || tokens[open]?.text === ',') open -= 1;
  if (tokens[open]?.text !== '(' || tokens[open - 1]?.text !== 'in') return undefined;
  return tokens[open - 2]?.text === 'not' ? tokens[open - 3] : tokens[open - 2];
}
