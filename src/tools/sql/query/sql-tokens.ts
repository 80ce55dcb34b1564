export interface SqlToken {
  /** A name or keyword in lower case, without its quotes; a text literal, an operator or a separator as it is. */
  readonly text: string;
  readonly kind: 'word' | 'quoted' | 'literal' | 'sign';
  readonly at: number;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|('(?:[^']|'')*(?:'|$))|"((?:[^"]|"")*)(?:"|$)|`((?:[^`]|``)*)(?:`|$)|\[([^\]]*)(?:\]|$)|([\p{L}_$][\p{L}\p{N}_$]*)|(<>|!=|==?|[(),.;*])/gu;

/** Names, keywords, text literals, separators and equality operators. Comments and everything else are skipped. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let depth = 0;
  for (const found of sql.matchAll(TOKEN)) {
    const token = tokenOf(found);
    if (token === undefined) continue;
    if (token.text === ')') depth -= 1;
    tokens.push({ ...token, at: found.index, depth });
    if (token.text === '(') depth += 1;
  }
  return tokens;
}

function tokenOf([, literal, double, back, bracket, word, sign]: RegExpMatchArray):
  | Pick<SqlToken, 'text' | 'kind'>
  | undefined {
  if (literal !== undefined) return { text: literal, kind: 'literal' };
  if (word !== undefined) return { text: word.toLowerCase(), kind: 'word' };
  if (sign !== undefined) return { text: sign, kind: 'sign' };
  const quoted = double ?? back ?? bracket;
  return quoted === undefined ? undefined : { text: quoted.toLowerCase(), kind: 'quoted' };
}
