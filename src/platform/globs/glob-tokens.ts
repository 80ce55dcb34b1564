type Repeat = 'once' | 'maybe' | 'any' | 'some' | 'none';

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'set';
      readonly isNegated: boolean;
      readonly ranges: readonly Range[];
      /** Default: false. */
      readonly ignoresCase?: boolean;
    }
  | { readonly kind: 'one' }
  | { readonly kind: 'name' }
  /** `**` and a slash: any number of folders. */
  | { readonly kind: 'folders' }
  /** A slash and `**` at the end, not after a star: the folder and everything below it. */
  | { readonly kind: 'below' }
  | { readonly kind: 'rest' }
  | { readonly kind: 'group'; readonly repeat: Repeat; readonly choices: readonly Tokens[] };
export type Tokens = readonly Token[];
type Range = readonly [string, string];

const repeats: Readonly<Record<string, Repeat>> = {
  '@': 'once',
  '?': 'maybe',
  '*': 'any',
  '+': 'some',
  '!': 'none',
};

interface Reader {
  readonly pattern: string;
  at: number;
  /** Why a part that looks special was read literally. */
  problem: string | undefined;
}

/** Parses a pattern into tokens. Undefined if matching it would take too long. */
export function readGlob(pattern: string): Tokens | undefined {
  const tokens = readAll({ pattern, at: 0, problem: undefined });
  return typeof tokens === 'string' ? undefined : tokens;
}

/**
 * The problem of a pattern that is probably not interpreted as intended, with a correction; undefined if there is no
 * problem. For patterns that protect paths, where a pattern that is read literally would silently match nothing.
 */
export function globProblem(pattern: string): string | undefined {
  return unreadable(pattern) ?? unreadable(pattern.toLowerCase());
}

function unreadable(pattern: string): string | undefined {
  const reader: Reader = { pattern, at: 0, problem: undefined };
  const tokens = readAll(reader);
  return typeof tokens === 'string' ? tokens : reader.problem;
}

/** The tokens, or the reason why matching would take too long. */
function readAll(reader: Reader): Tokens | string {
  const tokens = readUntil(reader, '', 0);
  if (tokens === undefined) return `at most ${MAX_DEPTH} groups in groups`;
  if (reader.pattern.split('!(').length > MAX_EXCLUSIONS + 1) {
    return `at most ${MAX_EXCLUSIONS} exclusions "!(…)": write several patterns`;
  }
  return nests(tokens, false)
    ? 'no repeated or excluding group in another one: write several patterns'
    : tokens;
}

const MAX_DEPTH = 20;
/** Each takes time quadratic in the length of a name. */
const MAX_EXCLUSIONS = 2;

function readUntil(reader: Reader, stops: string, depth: number): Tokens | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const tokens: Token[] = [];
  while (reader.at < reader.pattern.length) {
    if (stops.includes(reader.pattern[reader.at] ?? ' ')) break;
    const token = readOne(reader, depth);
    if (token === undefined) return undefined;
    append(tokens, token);
  }
  return tokens;
}

/** Merges neighbouring texts, also those of a group with a single choice. */
function append(tokens: Token[], token: Token): void {
  const last = tokens.at(-1);
  if (token.kind === 'group' && token.repeat === 'once' && token.choices.length === 1)
    for (const part of token.choices.flat()) append(tokens, part);
  else if (token.kind === 'text' && last?.kind === 'text')
    tokens.splice(-1, 1, text(last.text + token.text));
  else tokens.push(token);
}

function readOne(reader: Reader, depth: number): Token | undefined {
  const { pattern, at } = reader;
  const char = pattern[at] ?? '';
  const repeat = pattern[at + 1] === '(' ? repeats[char] : undefined;
  if (repeat !== undefined)
    return readGroup(reader, { open: 2, close: ')', bar: '|', repeat }, depth);
  switch (char) {
    case '\\':
      reader.at += 2;
      return text(pattern[at + 1] ?? '\\');
    case '(':
      return readGroup(reader, { open: 1, close: ')', bar: '|', repeat: 'once' }, depth);
    case '{':
      return readGroup(reader, { open: 1, close: '}', bar: ',', repeat: 'once' }, depth);
    case '[':
      return readSet(reader);
    case '*':
    case '/':
      return readStars(reader);
    default:
      reader.at += 1;
      return char === '?' ? { kind: 'one' } : text(char);
  }
}

interface Brackets {
  readonly open: number;
  readonly close: string;
  readonly bar: string;
  readonly repeat: Repeat;
}

/** A bracket that is never closed is literal, and so are braces around a single choice. */
function readGroup(
  reader: Reader,
  { open, close, bar, repeat }: Brackets,
  depth: number,
): Token | undefined {
  const start = reader.at;
  const choices: Tokens[] = [];
  reader.at += open;
  for (;;) {
    const choice = readUntil(reader, close + bar, depth + 1);
    if (choice === undefined) return undefined;
    choices.push(choice);
    const end = reader.pattern[reader.at];
    reader.at += 1;
    if (end === bar) continue;
    const isPair = end === close;
    if (isPair && (close !== '}' || choices.length > 1)) return { kind: 'group', repeat, choices };
    reader.problem ??= bracketProblem(reader.pattern.slice(start, reader.at), end);
    if (isPair) return { kind: 'group', repeat, choices: [[text('{'), ...choice, text('}')]] };
    reader.at = start + 1;
    return text(reader.pattern[start] ?? '');
  }
}

const text = (literal: string): Token => ({ kind: 'text', text: literal });

/** @param end The character that ended the group; undefined if the pattern ended first. */
function bracketProblem(part: string, end: string | undefined): string | undefined {
  if (end === undefined) return `close "${part[0]}", or write "\\${part[0]}" for the character`;
  return part.includes('..') ? `list what ${part} stands for: "{1,2,3}"` : undefined;
}

function setProblem(inner: string, ranges: readonly Range[]): string | undefined {
  if (/\[[:.=]/.test(inner)) return 'write the characters of a class such as [:digit:] : "[0-9]"';
  const wrong = ranges.find(([from, to]) => from > to);
  return (
    wrong &&
    `write "${wrong[1]}-${wrong[0]}" for "${wrong[0]}-${wrong[1]}", in both cases of letters`
  );
}

function readSet(reader: Reader): Token {
  const [whole, sign, inner] =
    /^\[([!^]?)(\]?[^\]]*)\]/.exec(reader.pattern.slice(reader.at)) ?? [];
  if (whole === undefined || inner === undefined || inner === '') {
    reader.problem ??= bracketProblem('[', undefined);
    reader.at += 1;
    return text('[');
  }
  reader.at += whole.length;
  const ranges = [...inner.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(
    ([, from = '', to = from]): Range => [from, to],
  );
  reader.problem ??= setProblem(inner, ranges);
  return { kind: 'set', isNegated: sign !== '', ranges };
}

function readStars(reader: Reader): Token {
  const { pattern, at } = reader;
  const isAtStart = at === 0 || pattern[at - 1] === '/';
  const rest = pattern.slice(at);
  const [stars = ''] = /^\*+/.exec(rest) ?? [];
  const next = rest[stars.length];
  if (rest === '/**' && pattern[at - 1] !== '*') return take(reader, 3, 'below');
  if (stars === '') {
    reader.at += 1;
    return text('/');
  }
  if (isAtStart && stars.length === 2 && next === '/') return take(reader, 3, 'folders');
  if (isAtStart && stars.length === 2 && next === undefined) return take(reader, 2, 'rest');
  return take(reader, next === '(' && stars.length > 1 ? stars.length - 1 : stars.length, 'name');
}

function take(reader: Reader, chars: number, kind: 'below' | 'folders' | 'rest' | 'name'): Token {
  reader.at += chars;
  return { kind };
}

const nests = (tokens: Tokens, isInRepeat: boolean): boolean =>
  tokens.some((token) => {
    if (token.kind !== 'group') return false;
    const isRepeat = token.repeat !== 'once' && token.repeat !== 'maybe';
    if (isRepeat && isInRepeat) return true;
    return token.choices.some((choice) => nests(choice, isInRepeat || isRepeat));
  });

/**
 * The correction of an ambiguous glob of names (of tools, operations, capsules); undefined for
 * all others.
 */
export function nameGlobProblem(pattern: string): string | undefined {
  if (pattern.includes('***')) return 'write "*" for any rest of a name';
  if (pattern.includes('..')) return 'list the names: "{a,b,c}"';
  if (countOf(pattern, '{') !== countOf(pattern, '}')) return 'close every "{"';
  return globProblem(pattern);
}

const countOf = (text: string, char: string): number => text.split(char).length;
