import { isFileKind } from '../language/file-kinds.ts';
import type { Token } from '../language/lexer.ts';
import { numberWords, ordinals } from '../language/lexicon.ts';

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

/** Encodes tokens for compiled patterns, one per line: `,kind,properties,:word#index`. */
export const linesOf = (tokens: readonly Token[]): string =>
  tokens.map((token, at) => lineOf(token, at, tokens[at - 1]?.end)).join('');

function lineOf(token: Token, at: number, endBefore: number | undefined): string {
  const { kind, norm, stem, start } = token;
  const properties = [
    numberOf(token) === undefined ? '' : isOrdinal(token) ? 'nth' : 'n',
    kind === 'word' && !noName.test(norm) ? 'name' : '',
    isFileKind(norm) || isFileKind(stem) ? 'ending' : '',
    endBefore === start ? 'joined' : '',
  ];
  const said = ['word', 'op', 'mark', 'number'].includes(kind) ? norm : '';
  return `,${kind},${properties.join(',')},:${said}#${at}\n`;
}

/** Matches one of several words: `a|b`. */
const word = (text: string) => `,[^:]*:(?:${text})#\\d+\\n`;
const anyOf = (kinds: string) => `,(?:[^:]*,)?(?:${kinds}),.*\\n`;
const words = `(?:${anyOf('word|number|op|date|mark')})+?`;
/** Matches tokens without spaces between them, such as `E42:x`. */
const bare = `${anyOf('word|number|op|date')}(?:,(?:word|number|op|date|mark),[^:]*joined,.*\\n)*`;

/** A slot as a regular expression: any words (as few as possible), one token of the given kinds, or a list of them. */
function slot(kinds: string, isList: boolean): string {
  if (kinds === 'words') return words;
  const one = kinds
    .split('|')
    .map((kind) => (kind === 'word' ? bare : anyOf(kind)))
    .join('|');
  return isList ? `(?:${one})(?:(?:${word('and')})?(?:${one}))*` : one;
}

/** The syntax of patterns. Alternatives of single words are one piece, because compile time grows with the expression. */
const pieces =
  /(\w+):(?=[([])|([([|\])])|\{(?:(\w+):)?([\w|]+)(\+)?\}|((?<=^|[([|])[^\s()[\]{}|]+(?:\|[^\s()[\]{}|]+)+(?=$|[)\]|])|[^\s()[\]{}|]+)/g;
const marks: Readonly<Record<string, string>> = { '(': '(?:', '[': '(?:', ']': ')?' };

/** The part of the tokens that a pattern must cover. */
const frames = { all: ['^', '$'], start: ['^', ''], end: ['(?<=\\n)', '$'] } as const;
type Part = keyof typeof frames;

/**
 * Compiles a pattern: words; `(a|b)` alternatives; `[a]` optional; `end:(first|last)` a named group; `{file}` or
 * `{name:file|glob}` a slot; `{files:file+}` a list; `lines?` with or without the last letter.
 */
function compile(pattern: string, part: Part): RegExp {
  let count = 0;
  let next = '';
  const open = (name: string) => `(?<${name}_${count++}>`;
  const source = pattern.replace(pieces, (_, name = '', mark, as, kinds, many, text) => {
    if (kinds !== undefined) return `${open(as ?? kinds)}${slot(kinds, many !== undefined)})`;
    if (text !== undefined) return word(text);
    const opened = mark && (next === '' ? (marks[mark] ?? mark) : open(next));
    next = name;
    return opened ?? '';
  });
  const [before, after] = frames[part];
  return new RegExp(`${before}(?:${source.replace(/ /g, '')})${after}`);
}

const compiled = new Map<string, RegExp>();

/** Compiles lazily, because a capsule reads only one task. */
function expressionOf(pattern: string, part: Part): RegExp {
  const key = `${part} ${pattern}`;
  const expression = compiled.get(key) ?? compile(pattern, part);
  compiled.set(key, expression);
  return expression;
}

const group = [1, 2, 3, 4].reduce((inner) => `\\((?:[^()]|${inner})*\\)`, '\\([^()]*\\)');
/** The first word or group of a pattern, if it is mandatory. It is tested first, because many patterns share it. */
const head = new RegExp(`^(?:(?:\\w+:)?${group}|[^\\s()[\\]{}|]+(?![^ ]))`);

/** Matches tokens with a pattern. Returns the captures and the number of covered tokens. */
export function match(
  pattern: string,
  tokens: readonly Token[],
  { part = 'all', lines = linesOf(tokens) }: { part?: Part; lines?: string } = {},
): { readonly captures: Captures; readonly size: number } | undefined {
  const first = head.exec(pattern)?.[0] ?? '';
  if (part !== 'end' && !expressionOf(first, 'start').test(lines)) return undefined;
  const found = expressionOf(pattern, part).exec(lines);
  if (found === null) return undefined;
  const inside = (text = '') =>
    [...text.matchAll(/#(\d+)\n/g)].flatMap(([, at]) => tokens[Number(at)] ?? []);
  const captures: Record<string, readonly Token[]> = {};
  for (const [group, text] of Object.entries(found.groups ?? {})) {
    const name = group.replace(/_\d+$/, '');
    if (text) captures[name] = [...(captures[name] ?? []), ...inside(text)];
  }
  return { captures, size: inside(found[0]).length };
}
