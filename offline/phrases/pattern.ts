import { isFileKind } from '../language/file-kinds.ts';
import type { Token } from '../language/lexer.ts';
import { numberWords, ordinals } from '../language/lexicon.ts';
import { fail } from '../task-error.ts';

/** Captured tokens by their name in the pattern. */
export type Captures = Readonly<Record<string, readonly Token[]>>;

/** The number of a token, in digits or words; 2 for `second`. */
export const numberOf = ({ kind, value, norm }: Token): number | undefined =>
  kind === 'number'
    ? value
    : kind === 'word'
      ? (numberWords.get(norm) ?? ordinals.get(norm))
      : undefined;

const isOrdinal = ({ norm }: Token) => ordinals.has(norm) || /\d(?:st|nd|rd|th)$/.test(norm);

/** Words that can't be the name of a folder. */
const noName =
  /^(?:it|them|this|that|these|those|here|there|all|each|every|outputs?|results?|page|text|response|lines?|files?|folder|directory|workspace|project|tree|repository|repo|current|total|whole|entire|for|in|by|with)$/;

/** Kinds of slots besides the kinds of tokens. */
const properties: Readonly<Record<string, (token: Token) => boolean>> = {
  n: (token) => numberOf(token) !== undefined && !isOrdinal(token),
  nth: (token) => numberOf(token) !== undefined && isOrdinal(token),
  name: ({ kind, norm }) => kind === 'word' && !noName.test(norm),
  ending: ({ norm, stem }) => isFileKind(norm) || isFileKind(stem),
};

const isOf = (token: Token, kind: string): boolean =>
  properties[kind]?.(token) ?? token.kind === kind;

/** Whether a token is a part of a text, not a literal. */
const isText = (token: Token | undefined): boolean =>
  /^(?:word|number|op|date|mark)$/.test(token?.kind ?? '');

const isWord = (token: Token | undefined, spellings: readonly string[]): boolean =>
  isText(token) && token?.kind !== 'date' && spellings.includes(token?.norm ?? '');

/** A piece of a pattern: a word, a slot or a group. */
interface Piece {
  /** The name of what it captures. */
  readonly name: string | undefined;
  readonly spellings: readonly string[];
  readonly kinds: readonly string[];
  readonly isList: boolean;
  readonly group: Pattern | undefined;
  readonly isOptional: boolean;
}

/** One piece, or the beginning of a group. */
const pieceStart = /\||\{(?:(\w+):)?([\w|]+)(\+)?\}|(?:(\w+):)?([([])|([^\s()[\]{}|]+)|(?=\S)/g;

const bracket = /[()[\]]/g;

/** The index of the bracket that closes a group. @param start The index of its text. */
function groupEnd(pattern: string, start: number): number {
  bracket.lastIndex = start;
  for (let depth = 1; ; ) {
    const [found] = bracket.exec(pattern) ?? fail('BAD_PATTERN', pattern);
    depth += found === '(' || found === '[' ? 1 : -1;
    if (depth === 0) return bracket.lastIndex - 1;
  }
}

function* piecesOf(pattern: string): Generator<Piece | '|'> {
  for (let at = 0; ; ) {
    pieceStart.lastIndex = at;
    const found = pieceStart.exec(pattern);
    if (found === null) return;
    if (found[0] === '') fail('BAD_PATTERN', pattern);
    at = pieceStart.lastIndex;
    const group = found[5] ? pattern.slice(at, groupEnd(pattern, at)) : undefined;
    yield found[0] === '|' ? '|' : pieceOf(found, group);
    at += group === undefined ? 0 : group.length + 1;
  }
}

/** @param group The text of a group that begins here. */
const pieceOf = (found: RegExpExecArray, group: string | undefined): Piece => {
  const { 1: inner, 2: kinds, 3: list, 4: outer, 5: open, 6: word } = found;
  return {
    name: outer ?? inner ?? kinds,
    spellings: /.\?$/.test(word ?? '')
      ? [-1, -2].map((end) => word?.slice(0, end) ?? '')
      : word
        ? [word]
        : [],
    kinds: kinds?.split('|') ?? [],
    isList: list !== undefined,
    group: group === undefined ? undefined : patternOf(group),
    isOptional: open === '[',
  };
};

/** A pattern, which is parsed when it is first needed. */
type Pattern = () => Parsed;

interface Parsed {
  readonly alternatives: readonly (readonly Piece[])[];
  /** The words that it can begin with; undefined if it may begin with others. */
  readonly starts: ReadonlySet<string> | undefined;
}

/**
 * Parses a pattern. It is interpreted, and its groups are parsed when a match reaches them: compiling all forms to regular
 * expressions takes longer than a capsule works.
 */
function parse(pattern: string): Parsed {
  const alternatives: Piece[][] = [[]];
  for (const piece of piecesOf(pattern)) {
    if (piece === '|') alternatives.push([]);
    else alternatives.at(-1)?.push(piece);
  }
  const starts = alternatives.map(startsOf);
  const isOpen = starts.includes(undefined);
  return { alternatives, starts: isOpen ? undefined : new Set(starts.flatMap((all) => all ?? [])) };
}

/** The words that a sequence can begin with; undefined if it may begin with others. */
function startsOf(sequence: readonly Piece[]): readonly string[] | undefined {
  const words: string[] = [];
  for (const { group, spellings, isOptional } of sequence) {
    const own = group === undefined ? spellings : group().starts;
    if (own === undefined || (group === undefined && spellings.length === 0)) return undefined;
    words.push(...own);
    if (!isOptional) return words;
  }
  return undefined;
}

const known = new Map<string, Parsed>();

/** Keeps what is parsed, because many patterns have the same groups. */
export function patternOf(text: string): Pattern {
  let found = known.get(text);
  return () => {
    found ??= known.get(text) ?? parse(text);
    known.set(text, found);
    return found;
  };
}

/** Captured tokens, with the value of a slot that has one. */
export interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

/** Matches what follows a piece that ends at a token. */
type Then = (end: number, value?: unknown) => boolean;

export interface Reading {
  readonly tokens: readonly Token[];
  /** Those of the pieces up to the current one. */
  readonly spans: Span[];
  /** Matches a slot, at one end after the other until what follows matches too. */
  readonly slot: (piece: Piece, at: number, then: Then) => boolean;
}

/** Whether a pattern may begin with a token. */
export const mayBegin = (pattern: Pattern, token: Token | undefined): boolean =>
  pattern().starts?.has(token?.norm ?? '') ?? true;

/** Whether a pattern fits at a token, and what follows it. */
export const fits = (reading: Reading, pattern: Pattern, at: number, then: Then): boolean =>
  mayBegin(pattern, reading.tokens[at]) &&
  pattern().alternatives.some((sequence) => fitsInTurn(reading, sequence, 0, at, then));

function fitsInTurn(
  reading: Reading,
  sequence: readonly Piece[],
  index: number,
  at: number,
  then: Then,
): boolean {
  const piece = sequence[index];
  return piece === undefined
    ? then(at)
    : fitsPiece(reading, piece, at, (end) => fitsInTurn(reading, sequence, index + 1, end, then));
}

function fitsPiece(reading: Reading, piece: Piece, at: number, then: Then): boolean {
  const { name, spellings, group, isOptional } = piece;
  if (spellings.length > 0) return isWord(reading.tokens[at], spellings) && then(at + 1);
  const captured: Then = (end, value) => {
    if (name === undefined) return then(end);
    reading.spans.push({ name, from: at, to: end, value });
    return then(end) || reading.spans.pop() === undefined;
  };
  if (group === undefined) return reading.slot(piece, at, captured);
  if (!isOptional) return fits(reading, group, at, captured);
  return fits(reading, group, at, (end) => end > at && captured(end)) || then(at);
}

/** A slot: words, as few as possible; a list, as long as possible; or one token. */
const slotIn =
  (tokens: readonly Token[]): Reading['slot'] =>
  ({ kinds, isList }, at, then) => {
    if (kinds[0] === 'words') return fitsWords(tokens, at, then);
    if (isList) return fitsList(tokens, kinds, at, then);
    return kinds.some((kind) => fitsKind(tokens, kind, at, then));
  };

function fitsWords(tokens: readonly Token[], at: number, then: Then): boolean {
  for (let end = at; isText(tokens[end]); end += 1) if (then(end + 1)) return true;
  return false;
}

/** Literals, with or without `and` between them. */
function fitsList(
  tokens: readonly Token[],
  kinds: readonly string[],
  at: number,
  then: Then,
): boolean {
  const isOne = (token: Token | undefined) => kinds.includes(token?.kind ?? '');
  const ends: number[] = [];
  for (let end = at; isOne(tokens[end]); ) {
    end += 1;
    ends.push(end);
    if (isWord(tokens[end], ['and'])) end += 1;
  }
  return ends.reverse().some(then);
}

function fitsKind(tokens: readonly Token[], kind: string, at: number, then: Then): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (kind !== 'word') return isOf(token, kind) && then(at + 1);
  if (!isText(token) || token.kind === 'mark') return false;
  // A word and what follows without a space: `E42:x`.
  let end = at + 1;
  while (isText(tokens[end]) && tokens[end]?.start === tokens[end - 1]?.end) end += 1;
  for (; end > at; end -= 1) if (then(end)) return true;
  return false;
}

type Part = 'all' | 'start' | 'end';

/**
 * Matches tokens with a pattern: words; `(a|b)` alternatives; `[a]` optional; `end:(first|last)` a named group; `{file}`
 * or `{name:file|glob}` a slot; `{files:file+}` a list; `lines?` with or without the last letter. The first alternative
 * that fits wins, and an optional piece is present if it fits.
 *
 * @param part What the pattern must cover: all tokens, or the first or last ones. Default: all.
 * @returns The captures and the number of covered tokens.
 */
export function match(
  pattern: string,
  tokens: readonly Token[],
  part: Part = 'all',
): { readonly captures: Captures; readonly size: number } | undefined {
  const whole = patternOf(pattern);
  const last = part === 'end' ? tokens.length : 0;
  for (let at = part === 'end' ? 1 : 0; at <= last; at += 1) {
    const spans: Span[] = [];
    let size = 0;
    const isFound = fits({ tokens, spans, slot: slotIn(tokens) }, whole, at, (end) => {
      size = end - at;
      return part === 'start' || end === tokens.length;
    });
    if (isFound) return { captures: capturesOf(tokens, spans), size };
  }
  return undefined;
}

function capturesOf(tokens: readonly Token[], spans: readonly Span[]): Captures {
  const captures: Record<string, readonly Token[]> = {};
  for (const { name, from, to } of spans)
    if (to > from) captures[name] = [...(captures[name] ?? []), ...tokens.slice(from, to)];
  return captures;
}
