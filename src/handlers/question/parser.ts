import type { Table } from '../tables/table.ts';
import { nameParts } from './name-parts.ts';
import type { Token } from './tokens.ts';

/** Where the reading of an instruction stands. Functions that parse move `at` only when they succeed. */
export interface Parser {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly table: Table;
  /** What a row is called, in the singular; grows by sentences such as "x.csv lists products". */
  readonly nouns: Set<string>;
  /** What words were taken to mean, for the answer: `errors = status ≥ 400`. */
  readonly meanings: Set<string>;
  at: number;
}

/** Starts reading tokens against a table. */
export const createParser = (text: string, tokens: readonly Token[], table: Table): Parser => ({
  text,
  tokens,
  table,
  nouns: new Set(
    table.rowNouns
      .map((noun) => nameParts(noun).join(' '))
      .filter((noun) => !isColumnName(table, noun)),
  ),
  meanings: new Set(),
  at: 0,
});

/** A column's name is about the column: seattle-weather.csv has no rows called "weather" where a column is called so. */
const isColumnName = (table: Table, noun: string): boolean =>
  table.columns.some(({ name }) => nameParts(name).join(' ') === noun);

/** Same table and words, other tokens: for a part of an instruction that is read on its own. */
export const partOf = (parser: Parser, tokens: readonly Token[]): Parser => ({
  ...parser,
  tokens,
  at: 0,
});

export const peek = (parser: Parser, ahead = 0): Token | undefined =>
  parser.tokens[parser.at + ahead];

/** The word, mark or number at a place, in lower case; empty at the end. */
export const norm = (parser: Parser, ahead = 0): string => peek(parser, ahead)?.norm ?? '';

export const isAtEnd = (parser: Parser): boolean => parser.at >= parser.tokens.length;

/** Takes the first of the phrases (words separated by spaces) that stands here. */
export function eat(parser: Parser, ...phrases: readonly string[]): string | undefined {
  for (const phrase of phrases) {
    const words = phrase.split(' ');
    if (
      words.every(
        (word, ahead) => norm(parser, ahead) === word && peek(parser, ahead)?.kind !== 'quoted',
      )
    ) {
      parser.at += words.length;
      return phrase;
    }
  }
  return undefined;
}

/** Runs a parse function; puts the place back where it finds nothing. */
export function attempt<T>(
  parser: Parser,
  parse: (parser: Parser) => T | undefined,
): T | undefined {
  const start = parser.at;
  const meanings = parser.meanings.size;
  const result = parse(parser);
  if (result === undefined) goBack(parser, start, meanings);
  return result;
}

/** Forgets what was read since, and what words were taken to mean. */
export function goBack(parser: Parser, at: number, meanings: number): void {
  parser.at = at;
  for (const meaning of [...parser.meanings].slice(meanings)) parser.meanings.delete(meaning);
}

/** Skips articles and possessives, which carry no meaning here. */
export function skipArticles(parser: Parser): void {
  while (
    eat(
      parser,
      'the',
      'a',
      'an',
      'all of the',
      'all the',
      'all',
      'their',
      'its',
      'of the',
      'these',
      'those',
      'that same',
    )
  ) {
    // each turn takes one
  }
}

/** Tries parse functions in order. */
export function firstOf<T>(
  parser: Parser,
  parsers: readonly ((parser: Parser) => T | undefined)[],
): T | undefined {
  for (const parse of parsers) {
    const result = attempt(parser, parse);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Items separated by commas and `and`; at least one. */
export function listOf<T>(
  parser: Parser,
  item: (parser: Parser) => T | undefined,
  separators: readonly string[] = [', and', ',', 'and', '&'],
): T[] | undefined {
  const first = attempt(parser, item);
  if (first === undefined) return undefined;
  const items = [first];
  for (;;) {
    const next = attempt(parser, (inner) => (eat(inner, ...separators) ? item(inner) : undefined));
    if (next === undefined) return items;
    items.push(next);
  }
}
