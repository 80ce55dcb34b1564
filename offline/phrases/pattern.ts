import { isFileKind } from '../language/file-kinds.ts';
import type { Token } from '../language/lexer.ts';
import { numberWords, ordinals } from '../language/lexicon.ts';

/** Tokens by the name that they have in a pattern. */
export type Captures = Readonly<Record<string, readonly Token[]>>;

/** The number of a token, in digits or in words; of `second`, 2. */
export const numberOf = ({ kind, value, norm }: Token): number | undefined =>
  kind === 'number'
    ? value
    : kind === 'word'
      ? (numberWords.get(norm) ?? ordinals.get(norm))
      : undefined;

const isOrdinal = ({ norm }: Token) => ordinals.has(norm) || /\d(?:st|nd|rd|th)$/.test(norm);

/** Words that are not the name of a folder. */
const noName =
  /^(?:it|them|this|that|these|those|here|there|all|each|every|outputs?|results?|page|text|response|lines?|files?|folder|directory|workspace|project|tree|repository|repo|current|total|whole|entire|for|in|by|with)$/;

/** Tokens as compiled patterns read them, one a line: `,kind,properties,:word#index`. */
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

/** One of some words: `a|b`. */
const word = (text: string) => `,[^:]*:(?:${text})#\\d+\\n`;
const anyOf = (kinds: string) => `,(?:[^:]*,)?(?:${kinds}),.*\\n`;
const words = `(?:${anyOf('word|number|op|date|mark')})+?`;
/** Characters without a space between them, such as `E42:x`. */
const bare = `${anyOf('word|number|op|date')}(?:,(?:word|number|op|date|mark),[^:]*joined,.*\\n)*`;

/** A slot as a regular expression: any words, the shorter first, one token of some kinds, or several of them. */
function slot(kinds: string, isList: boolean): string {
  if (kinds === 'words') return words;
  const one = kinds
    .split('|')
    .map((kind) => (kind === 'word' ? bare : anyOf(kind)))
    .join('|');
  return isList ? `(?:${one})(?:(?:${word('and')})?(?:${one}))*` : one;
}

/** At the end: alternatives of a word each, as one, since an expression takes the longer to compile the larger it is; a word. */
const pieces =
  /(\w+):(?=[([])|([([|\])])|\{(?:(\w+):)?([\w|]+)(\+)?\}|((?<=^|[([|])[^\s()[\]{}|]+(?:\|[^\s()[\]{}|]+)+(?=$|[)\]|])|[^\s()[\]{}|]+)/g;
const marks: Readonly<Record<string, string>> = { '(': '(?:', '[': '(?:', ']': ')?' };

/** The part of the tokens that a pattern has to cover. */
const frames = { all: ['^', '$'], start: ['^', ''], end: ['(?<=\\n)', '$'] } as const;
type Part = keyof typeof frames;

/**
 * Compiles a pattern: words; `(a|b)` alternatives; `[a]` optional; `end:(first|last)` the same with a name;
 * `{file}` or `{name:file|glob}` a slot, `{files:file+}` a list; `lines?` with or without its last letter.
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

/** Compiled when needed: a capsule reads a single task. */
function expressionOf(pattern: string, part: Part): RegExp {
  const key = `${part} ${pattern}`;
  const expression = compiled.get(key) ?? compile(pattern, part);
  compiled.set(key, expression);
  return expression;
}

const group = [1, 2, 3, 4].reduce((inner) => `\\((?:[^()]|${inner})*\\)`, '\\([^()]*\\)');
/** The first word or group of a pattern, if it has to be there. Many patterns share it. */
const head = new RegExp(`^(?:(?:\\w+:)?${group}|[^\\s()[\\]{}|]+(?![^ ]))`);

/** The captures of a pattern in some tokens and how many of them it covers; undefined if it does not match. */
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
