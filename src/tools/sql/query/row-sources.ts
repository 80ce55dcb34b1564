import { type SqlToken, sqlTokens } from './sql-tokens.ts';

const compounds: ReadonlySet<string> = new Set(['union', 'intersect', 'except']);

/** Whether a statement combines the results of several queries. */
export const isCompound = (sql: string): boolean =>
  sqlTokens(sql).some(({ text, kind }) => kind === 'word' && compounds.has(text));

const merging: ReadonlySet<string> = new Set([...compounds, 'group', 'having']);
const afterFrom: ReadonlySet<string> = new Set(['where', 'order', 'limit', 'window', ';']);
const notAlias: ReadonlySet<string> = new Set(
  'join left right full inner outer cross natural on using indexed not as where order limit window , ; ( ) . ='.split(
    ' ',
  ),
);

/**
 * The tables whose rows a query returns, in lower case, with their names in the outermost FROM; undefined if rows are merged,
 * or if that is not known. `insertAt` is before the FROM: columns can be added there.
 */
export function findRowSources(sql: string) {
  const outer = sqlTokens(sql).filter(({ depth }) => depth === 0);
  const isWord = (token: SqlToken | undefined, ...words: string[]) =>
    token?.kind === 'word' && words.includes(token.text);
  const select = outer.findIndex((token) => isWord(token, 'select'));
  const from = outer.findIndex(
    (token, at) => at > select && isWord(token, 'from') && !isWord(outer[at - 1], 'distinct'),
  );
  if (select === -1 || from === -1 || isWord(outer[select + 1], 'distinct')) return undefined;
  const rest = outer.slice(from + 1);
  if (rest.some(({ text, kind }) => kind === 'word' && merging.has(text))) return undefined;
  const end = rest.findIndex(({ text, kind }) => kind !== 'quoted' && afterFrom.has(text));
  const aliases = aliasesIn(end === -1 ? rest : rest.slice(0, end));
  return aliases && { insertAt: outer[from]?.at ?? 0, aliases };
}

/** Undefined if it contains one table twice. */
function aliasesIn(tokens: readonly SqlToken[]): ReadonlyMap<string, string> | undefined {
  const aliases = new Map<string, string>();
  const starts = tokens.flatMap(({ text }, at) => (text === ',' || text === 'join' ? at + 1 : []));
  for (const start of [0, ...starts]) {
    const nameAt = tokens[start + 1]?.text === '.' ? start + 2 : start;
    const name = tokens[nameAt]?.text;
    if (name === undefined || name === '(') continue;
    if (aliases.has(name)) return undefined;
    aliases.set(name, aliasAt(tokens, nameAt) ?? name);
  }
  return aliases;
}

function aliasAt(tokens: readonly SqlToken[], nameAt: number): string | undefined {
  const next = tokens[nameAt + 1]?.text === 'as' ? tokens[nameAt + 2] : tokens[nameAt + 1];
  if (next === undefined) return undefined;
  return next.kind === 'quoted' || !notAlias.has(next.text) ? next.text : undefined;
}
