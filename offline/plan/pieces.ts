import { type Token, type TokenKind, tokenize } from '../language/lexer.ts';

/** A word, a sign or a literal of a task. */
export interface Piece extends Token {
  /** What the rules match: a word in lower case, a sign, or the letter for a literal. */
  readonly gist: string;
  /** As written. */
  readonly said: string;
  /** The white space before it; a line break for the first piece. */
  readonly gap: string;
}

/** The Greek letter for each kind of literal. Words contain only ASCII, so they never contain such a letter. */
const letters: Partial<Record<TokenKind, string>> = {
  ...{ fence: 'π', code: 'κ', url: 'υ', quote: 'θ', pattern: 'θ', file: 'φ', glob: 'γ' },
};

/** Matches any literal. */
export const literal = '[πκυθσφγ]';

/** Splits a task into pieces. `{…}` and `[…]` are one piece, `σ`. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const open: number[] = [];
  for (const token of tokenize(text)) {
    const { kind, norm, start, end } = token;
    const gap = pieces.length === 0 ? '\n' : text.slice(pieces.at(-1)?.end, start);
    const word = kind === 'word' ? norm.replace(/[^\0-\x7f]/g, '_') : norm;
    const gist = letters[kind] ?? word;
    if (/^[{[]$/.test(gist)) open.push(pieces.length);
    pieces.push({ ...token, gist, gap, said: text.slice(start, end) });
    const from = /^[\]}]$/.test(gist) ? open.pop() : undefined;
    if (from !== undefined) pieces.push(shapeOf(text, pieces.splice(from)));
  }
  return pieces;
}

const shapeOf = (text: string, [first, ...rest]: readonly Piece[]): Piece => {
  const end = rest.at(-1)?.end ?? 0;
  return { ...(first as Piece), gist: 'σ', said: text.slice(first?.start, end), end };
};

/** Joins the gists of pieces with spaces, for the rules. */
export const gistOf = (pieces: readonly Piece[], from = 0, to = pieces.length): string =>
  pieces
    .slice(Math.max(0, from), to)
    .map(({ gist }) => gist)
    .join(' ');

/** The number of pieces in a part of a gist. */
export const sizeOf = (gist: string): number => gist.match(/[^ ]+/g)?.length ?? 0;

/** The words of a gist, without signs, numbers and literals. */
export const wordsOf = (gist: string): string[] => gist.match(/(?<![^ ])[a-z_][^ ]*/g) ?? [];

/** Files and globs among pieces. */
export const filesIn = (pieces: readonly Piece[]): string[] =>
  pieces.filter(({ gist }) => /[φγ]/.test(gist)).map(({ text }) => text);
