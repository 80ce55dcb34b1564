import { type Token, tokenize } from '../language/lexer.ts';
import { singular } from '../language/words.ts';

/** The tokens of a question about data. */
export const questionTokens = (task: string): readonly Token[] =>
  withRequestPaths(tokenize(task)).flatMap(withoutPossessive);

/** Reads `/login` as a path of requests, and `/robots.txt` too if another file is named. */
function withRequestPaths(tokens: readonly Token[]): readonly Token[] {
  const isAmongOthers = tokens.some(({ kind, text }) => kind === 'file' && !text.startsWith('/'));
  return tokens.map((token) => {
    const isPath = token.kind === 'file' && token.text.startsWith('/');
    const isPlain = /^\/[\w/-]*$/.test(token.text);
    return isPath && (isPlain || isAmongOthers) ? { ...token, kind: 'quote' } : token;
  });
}

/** Splits `Ann's` into `Ann` and `'s`. `what's` stays one word. */
function withoutPossessive(token: Token): readonly Token[] {
  const { kind, text, norm } = token;
  if (
    kind !== 'word' ||
    !/['’]s$/.test(text) ||
    /^(?:what|who|that|where|there|it|let|here|how)'s$/.test(norm)
  )
    return [token];
  const cut = (from: number, end?: number): Token => {
    const part = text.slice(from, end);
    return { ...token, text: part, norm: norm.slice(from, end), stem: singular(part) };
  };
  return [
    { ...cut(0, -2), end: token.end - 2 },
    { ...cut(-1), start: token.end - 1 },
  ];
}
