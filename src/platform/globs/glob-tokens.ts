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
  | { readonly kind: 'group'; readonly choices: readonly Tokens[] };
export type Tokens = readonly Token[];
type Range = readonly [string, string];

interface Reader {
  readonly pattern: string;
  at: number;
  /** Why a part that looks special was read literally. */
  problem: string | undefined;
}

const MAX_DEPTH = 20;

/** Parses a pattern into tokens. Undefined if its groups are nested too deeply. */
export const readGlob = (pattern: string): Tokens | undefined =>
  readUntil({ pattern, at: 0, problem: undefined }, '', 0);

/**
 * The problem of a pattern that is probably not interpreted as intended, with a correction; undefined if there is no
 * problem. For patterns that protect paths, where a pattern that is read literally would silently match nothing.
 */
export function globProblem(pattern: string): string | undefined {
  return shellGroupProblem(pattern) ?? unreadable(pattern) ?? unreadable(pattern.toLowerCase());
}

/** The correction of a pattern with a group of a shell, such as `+(a|b)`, which is read literally; undefined for all others. */
export function shellGroupProblem(pattern: string): string | undefined {
  const plain = pattern.replace(/\\./gs, '');
  const isGroup = /[@?*+!]\(/.test(plain) || (plain.includes('(') && plain.includes('|'));
  return isGroup
    ? 'write "{a,b}" or several patterns instead of a group in "()", or "\\(" for the character'
    : undefined;
}

function unreadable(pattern: string): string | undefined {
  const reader: Reader = { pattern, at: 0, problem: undefined };
  const tokens = readUntil(reader, '', 0);
  return tokens === undefined ? `at most ${MAX_DEPTH} groups in groups` : reader.problem;
}

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
  if (token.kind === 'group' && token.choices.length === 1)
    for (const part of token.choices.flat()) append(tokens, part);
  else if (token.kind === 'text' && last?.kind === 'text')
    tokens.splice(-1, 1, text(last.text + token.text));
  else tokens.push(token);
}

function readOne(reader: Reader, depth: number): Token | undefined {
  const { pattern, at } = reader;
  const char = pattern[at] ?? '';
  switch (char) {
    case '\\':
      reader.at += 2;
      return text(pattern[at + 1] ?? '\\');
    case '{':
      return readGroup(reader, depth);
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

/** A brace that is never closed is literal, and so are braces around a single choice. */
function readGroup(reader: Reader, depth: number): Token | undefined {
  const start = reader.at;
  const choices: Tokens[] = [];
  do {
    reader.at += 1;
    const choice = readUntil(reader, '},', depth + 1);
    if (choice === undefined) return undefined;
    choices.push(choice);
  } while (reader.pattern[reader.at] === ',');
  reader.at += 1;
  const isClosed = reader.at <= reader.pattern.length;
  if (isClosed && choices.length > 1) return { kind: 'group', choices };
  reader.problem ??= bracketProblem(reader.pattern.slice(start, reader.at), isClosed);
  if (isClosed)
    return { kind: 'group', choices: choices.map((one) => [text('{'), ...one, text('}')]) };
  reader.at = start + 1;
  return text('{');
}

const text = (literal: string): Token => ({ kind: 'text', text: literal });

function bracketProblem(part: string, isClosed: boolean): string | undefined {
  if (!isClosed) return `close "${part[0]}", or write "\\${part[0]}" for the character`;
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
    reader.problem ??= bracketProblem('[', false);
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
  return take(reader, stars.length, 'name');
}

function take(reader: Reader, chars: number, kind: 'below' | 'folders' | 'rest' | 'name'): Token {
  reader.at += chars;
  return { kind };
}

/**
 * The correction of an ambiguous glob of names (of tools, operations, capsules); undefined for
 * all others.
 */
export function nameGlobProblem(pattern: string): string | undefined {
  if (pattern.includes('***')) return 'write "*" for any rest of a name';
  if (/\.\.|\(/.test(pattern)) return 'list the names: "{a,b,c}"';
  if (countOf(pattern, '{') !== countOf(pattern, '}')) return 'close every "{"';
  return globProblem(pattern);
}

const countOf = (text: string, char: string): number => text.split(char).length;
