import { isFileKind } from '../language/file-kinds.ts';
import type { Token, TokenKind } from '../language/lexer.ts';
import { numberWords } from '../language/lexicon.ts';

/** Tokens by the name that they have in a pattern. */
export type Captures = Readonly<Record<string, readonly Token[]>>;

/** A letter for each kind of token and each property that a slot may ask for. */
const letters: Readonly<Record<TokenKind | Property, string>> = {
  ...{ word: 'w', number: 'd', date: 't', quote: 'q', code: 'c', fence: 'e', url: 'u' },
  ...{ pattern: 'p', file: 'f', glob: 'g', op: 'o', mark: 'm' },
  ...{ n: 'N', name: 'M', ending: 'K', joined: 'J' },
};

/** A number, the name of a folder, a kind of file, a token without a space before it. */
type Property = 'n' | 'name' | 'ending' | 'joined';

/** The number of a token, in digits or in words. */
export const numberOf = ({ kind, value, norm }: Token): number | undefined =>
  kind === 'number' ? value : kind === 'word' ? numberWords.get(norm) : undefined;

/** Words that are not the name of a folder. */
const noName = new Set(
  'it them this that these those here there all each every output outputs result results page text response lines line file files folder directory workspace project tree repository repo current total whole entire for in by with'.split(
    ' ',
  ),
);

/** Tokens as patterns read them, one a line: `letters:word#index`. */
export const linesOf = (tokens: readonly Token[]): string =>
  tokens.map((token, at) => lineOf(token, at, tokens[at - 1])).join('');

function lineOf(token: Token, at: number, before: Token | undefined): string {
  const { kind, norm, stem, start } = token;
  const has: readonly (readonly [Property, boolean])[] = [
    ['n', numberOf(token) !== undefined],
    ['name', kind === 'word' && !noName.has(norm)],
    ['ending', isFileKind(norm) || isFileKind(stem)],
    ['joined', before?.end === start],
  ];
  const properties = has.map(([name, is]) => (is ? letters[name] : '')).join('');
  const said = ['word', 'op', 'mark', 'number'].includes(kind) ? norm : '';
  return `${letters[kind]}${properties}:${said}#${at}\n`;
}

const word = (text: string) => `\\w*:${text}#\\d+\\n`;
const anyOf = (some: string) => `\\w*[${some}]\\w*:.*\\n`;
const plain = anyOf('wdtom');
/** Characters without a space between them, such as `E42:x`. */
const bare = `${anyOf('wdto')}(?:\\w*[wdtom]\\w*J\\w*:.*\\n)*`;

/** A slot as a regular expression: any words, the shorter first, one token of some kinds, or several of them. */
function slot(kinds: readonly string[], isList: boolean): string {
  if (kinds.includes('words')) return `(?:${plain})+?`;
  const some = kinds.filter((kind) => kind !== 'word') as (TokenKind | Property)[];
  const one = [
    ...(some.length > 0 ? [anyOf(some.map((kind) => letters[kind]).join(''))] : []),
    ...(kinds.includes('word') ? [bare] : []),
  ].join('|');
  return isList ? `(?:${one})(?:(?:${word('and')})?(?:${one}))*` : one;
}

const pieces = /(\w+):(?=[([])|([([|\])])|\{(?:(\w+):)?([\w|]+)(\+)?\}|([^\s()[\]{}|]+)/g;
const ends: Readonly<Record<string, string>> = { '(': '(?:', '[': '(?:', ']': ')?' };

/**
 * Reads a pattern: words; `(a|b)` alternatives; `[a]` optional; `end:(first|last)` the same with a name;
 * `{file}` or `{name:file|glob}` a slot, `{files:file+}` a list; `lines?` with or without its last letter.
 */
function compile(pattern: string, part: Part): RegExp {
  let count = 0;
  let named: string | undefined;
  const group = (name: string) => {
    count += 1;
    return `(?<${name}_${count}>`;
  };
  const source = pattern.replace(pieces, (_, name, mark, as, kinds, many, text) => {
    if (kinds !== undefined)
      return `${group(as ?? kinds)}${slot(kinds.split('|'), many !== undefined)})`;
    if (text !== undefined) return word(text);
    const open = named === undefined ? (ends[mark] ?? mark) : group(named);
    named = name;
    return name === undefined ? open : '';
  });
  const [before, after] = frames[part];
  return new RegExp(`${before}(?:${source.replace(/ /g, '')})${after}`);
}

/** The part of the tokens that a pattern has to cover. */
type Part = 'all' | 'start' | 'end';

const frames: Readonly<Record<Part, readonly [string, string]>> = {
  all: ['^', '$'],
  start: ['^', ''],
  end: ['(?<=\\n)', '$'],
};

const compiled = new Map<string, RegExp>();

/** Compiled when needed: a capsule reads a single task. */
function expressionOf(pattern: string, part: Part): RegExp {
  const key = `${part} ${pattern}`;
  const expression = compiled.get(key) ?? compile(pattern, part);
  compiled.set(key, expression);
  return expression;
}

/** The first word or group of a pattern that has to be there. Many patterns share it. */
const headOf = (pattern: string): string =>
  /^(?:(?:\w+:)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s()[\]{}|]+(?![^ ]))/.exec(
    pattern,
  )?.[0] ?? '';

/** The captures of a pattern in some tokens and how many of them it covers; undefined if it does not match. */
export function match(
  pattern: string,
  tokens: readonly Token[],
  { part = 'all', lines = linesOf(tokens) }: { part?: Part; lines?: string } = {},
): { readonly captures: Captures; readonly size: number } | undefined {
  if (part !== 'end' && !expressionOf(headOf(pattern), 'start').test(lines)) return undefined;
  const found = expressionOf(pattern, part).exec(lines);
  if (found === null) return undefined;
  const inside = (text: string) =>
    [...text.matchAll(/#(\d+)\n/g)].flatMap(([, at]) => tokens[Number(at)] ?? []);
  const captures = Object.entries(found.groups ?? {}).flatMap(([name, text]) =>
    text ? [[name.replace(/_\d+$/, ''), inside(text)] as const] : [],
  );
  return { captures: Object.fromEntries(captures), size: inside(found[0]).length };
}

/** The literal words of a pattern. */
export const wordsOf = (pattern: string): string[] =>
  (pattern.replace(/\w+:(?=[([])|\{[^}]*\}/g, '').match(/[^\s()[\]|]+/g) ?? []).flatMap((text) =>
    text.endsWith('?') ? [text.slice(0, -2), text.slice(0, -1)] : [text],
  );
