import type { LoadedTable } from '../files/load-files.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

const BOOLEAN = /^'(true|false)'$/i;
const equality: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', 'is', 'not']);

/**
 * Replaces `'true'` and `'false'` by 1 and 0 if they are compared with a boolean column: it is stored as numbers. A name
 * counts as boolean if the column is boolean in every table that has it.
 */
export function withBooleans(sql: string, tables: readonly LoadedTable[]): string {
  const named = (isBoolean: boolean) =>
    tables
      .flatMap(({ columns }) => columns)
      .filter(({ type }) => (type === 'boolean') === isBoolean)
      .map(({ name }) => name.toLowerCase());
  const others = new Set(named(false));
  const booleans = new Set(named(true).filter((name) => !others.has(name)));
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
  const isEquality = (place: number) => equality.has(tokens[place]?.text ?? '');
  let before = at - 1;
  while (isEquality(before)) before -= 1;
  const after = tokens[at + 3]?.text === '.' ? at + 4 : at + 2;
  const names = [
    before < at - 1 ? tokens[before] : undefined,
    isEquality(at + 1) ? tokens[after] : undefined,
    nameBeforeIn(tokens, at),
  ];
  return names.flatMap((token) => (token && token.kind !== 'literal' ? token.text : []));
}

function nameBeforeIn(tokens: readonly SqlToken[], at: number): SqlToken | undefined {
  let open = at - 1;
  while (tokens[open]?.kind === 'literal' || tokens[open]?.text === ',') open -= 1;
  if (tokens[open]?.text !== '(' || tokens[open - 1]?.text !== 'in') return undefined;
  return tokens[open - 2]?.text === 'not' ? tokens[open - 3] : tokens[open - 2];
}
