import { readGlob, type Token, type Tokens } from './glob-tokens.ts';

/**
 * Compiles a pattern of paths into a function. Pattern and path may both be hostile, so its running time is bounded by
 * their lengths; a regular expression of the same pattern could take exponential time.
 *
 * `*` `?` `[a-z]` `[!a]` within a name, `**` for any folders, `{a,b}` for one of several, `\` before a literal character.
 * Dotfiles count like others. A pattern with more than 20 groups in one another is read literally.
 *
 * @param nocase Ignore upper and lower case. Default: false.
 */
export function compileGlob(pattern: string, nocase = false): (path: string) => boolean {
  const reduced = pattern
    .replace(/^(\.\/+)+/, '')
    .replace(/(^|\/)(?:\*\*\/)+(?=\*\*(\/|$))/g, '$1');
  const read: Tokens = readGlob(reduced) ?? [{ kind: 'text', text: reduced }];
  const tokens = nocase ? read.map(ignoreCase) : read;
  return (path) => {
    const text = nocase ? path.toLowerCase() : path;
    if (!beginsAndEnds(tokens, text)) return false;
    const start = new Uint8Array(text.length + 1);
    start[0] = 1;
    return text !== '' && ends(tokens, start, text)[text.length] === 1;
  };
}

/** The literal folder prefix of all possible matches; empty for all folders. */
export function globBase(pattern: string): string {
  const [first, next] = readGlob(pattern) ?? [];
  if (first?.kind !== 'text') return '';
  if (next === undefined || next.kind === 'below') return first.text;
  return first.text.slice(0, Math.max(0, first.text.lastIndexOf('/')));
}

/** The token for lower-case text. The ends of a range keep their case: `[*-a]` contains `B`, so it also matches `b`. */
function ignoreCase(token: Token): Token {
  if (token.kind === 'text') return { ...token, text: token.text.toLowerCase() };
  if (token.kind === 'set') return { ...token, ignoresCase: true };
  if (token.kind !== 'group') return token;
  return { ...token, choices: token.choices.map((choice) => choice.map(ignoreCase)) };
}

/** A quick check: most paths differ at their beginning or end. */
function beginsAndEnds(tokens: Tokens, text: string): boolean {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first?.kind === 'text' && !text.startsWith(first.text)) return false;
  return last?.kind !== 'text' || text.endsWith(last.text);
}

/** One entry for each position in the text, from 0 to its length: 1 if it is reachable. */
type Places = Uint8Array;

/** The positions that are reachable through the tokens from any of the given ones. */
function ends(tokens: Tokens, from: Places, text: string): Places {
  let places = from;
  for (const token of tokens) {
    places =
      token.kind === 'group'
        ? anyEnds(token.choices, places, text)
        : tokenEnds(token, places, text);
  }
  return places;
}

const anyEnds = (choices: readonly Tokens[], from: Places, text: string): Places =>
  choices
    .map((choice) => ends(choice, from, text))
    .reduce((all, one) => all.map((is, at) => is | (one[at] ?? 0)));

type Single = Exclude<Token, { kind: 'group' }>;

function tokenEnds(token: Single, from: Places, text: string): Places {
  switch (token.kind) {
    case 'text':
      return moved(from, token.text.length, (at) => text.startsWith(token.text, at));
    case 'name':
      return spread(from, (at) => text[at] !== '/' && !isDots(text, at));
    case 'rest':
      return spread(from, (at) => !isDots(text, at));
    case 'folders': {
      const passed = spread(from, (at) => !isDots(text, at));
      return passed.map((is, at) => (is && (from[at] || text[at - 1] === '/') ? 1 : 0));
    }
    case 'below': {
      const below = moved(from, 1, (at) => text[at] === '/');
      const all = spread(below, (at) => !isDots(text, at));
      all[text.length] ||= from[text.length] ?? 0;
      return all;
    }
    default:
      return moved(from, 1, (at) => fits(token, text[at]));
  }
}

function moved(from: Places, by: number, isThere: (at: number) => boolean): Places {
  const all = new Uint8Array(from.length);
  for (let at = 0; at + by < from.length; at += 1) if (from[at] && isThere(at)) all[at + by] = 1;
  return all;
}

function fits(token: Extract<Single, { kind: 'set' | 'one' }>, char = '/'): boolean {
  if (char === '/') return false;
  if (token.kind === 'one') return true;
  const has = (one: string) => token.ranges.some(([from, to]) => from <= one && one <= to);
  return (has(char) || (token.ignoresCase === true && has(char.toUpperCase()))) !== token.isNegated;
}

/** All positions that are reachable from the given ones, character by character, while `mayPass` holds. */
function spread(from: Places, mayPass: (at: number) => boolean): Places {
  const all = Uint8Array.from(from);
  for (let at = 0; at + 1 < all.length; at += 1) if (all[at] && mayPass(at)) all[at + 1] = 1;
  return all;
}

/** Whether the name at this position is `.` or `..`, which no wildcard matches. */
function isDots(text: string, at: number): boolean {
  if (text[at] !== '.' || (at > 0 && text[at - 1] !== '/')) return false;
  const next = text[at + 1] === '.' ? text[at + 2] : text[at + 1];
  return next === undefined || next === '/';
}
