import type { Token } from '../../language/lexer.ts';
import { fillers, numberWords } from '../../language/lexicon.ts';
import { nameWords } from '../../language/words.ts';
import { newQuery, type Query } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';

/** A position in the tokens of a question, and the query so far. */
export interface Reader {
  readonly tokens: readonly Token[];
  /** The index after the last token. */
  readonly end: number;
  readonly table: Table;
  at: number;
  query: Query;
}

export const createReader = (tokens: readonly Token[], table: Table): Reader => ({
  ...{ tokens, table, at: 0, end: tokens.length },
  query: newQuery(),
});

/** A reader for a part of the tokens, with a separate query. */
export const partOf = (reader: Reader, from: number, to: number): Reader => ({
  ...reader,
  ...{ at: from, end: to, query: newQuery() },
});

export const peek = ({ tokens, at, end }: Reader, ahead = 0): Token | undefined =>
  at + ahead < end ? tokens[at + ahead] : undefined;

export const isAtEnd = ({ at, end }: Reader): boolean => at >= end;

/** Takes the longest of these phrases that is here; undefined if there is none. */
export function eat(reader: Reader, phrases: readonly string[]): string | undefined {
  let best: { phrase: string; length: number } | undefined;
  for (const phrase of phrases) {
    const length = fits(reader, phrase);
    if (length > (best?.length ?? 0)) best = { phrase, length };
  }
  if (best) reader.at += best.length;
  return best?.phrase;
}

/** The number of tokens of a phrase that is here, else 0. */
function fits(reader: Reader, phrase: string): number {
  const words = phrase.split(' ');
  for (const [ahead, word] of words.entries()) {
    const token = peek(reader, ahead);
    if (token === undefined || !['word', 'op', 'mark'].includes(token.kind)) return 0;
    if (token.norm !== word) return 0;
  }
  return words.length;
}

/** Skips articles and other words without a meaning. */
export function skip(reader: Reader, words: readonly string[] = articles): void {
  while (eat(reader, words) !== undefined);
}

const articles = ['the', 'a', 'an', 'all', 'their', 'its', 'any', 'of', 'those', 'these'];

/** Reads; if there is no result, goes back to the position before. */
export function attempt<T>(reader: Reader, read: (reader: Reader) => T | undefined): T | undefined {
  const { at } = reader;
  const found = read(reader);
  if (found === undefined) reader.at = at;
  return found;
}

/** A number in digits or in words. */
export function eatNumber(reader: Reader): number | undefined {
  const token = peek(reader);
  if (token === undefined) return undefined;
  const value =
    token.kind === 'number'
      ? token.value
      : token.kind === 'word'
        ? numberWords.get(token.norm)
        : undefined;
  if (value === undefined || /(?:st|nd|rd|th)$/i.test(token.kind === 'number' ? token.text : ''))
    return undefined;
  reader.at += 1;
  return value;
}

/** The words of the next tokens in the singular, one list per token: words, numbers, quotes and back-ticks. */
export function wordsAhead(reader: Reader, most: number): string[][] {
  const words: string[][] = [];
  for (let ahead = 0; ahead < most; ahead += 1) {
    const token = peek(reader, ahead);
    if (!token || !['word', 'number', 'quote', 'code'].includes(token.kind)) break;
    if (ahead === 0 && token.kind === 'number') break;
    words.push(nameWords(token.text));
  }
  return words;
}

export const isFiller = (token: Token): boolean =>
  token.kind === 'mark' ||
  (token.kind === 'op' && token.text === '-') ||
  token.kind === 'file' ||
  token.kind === 'glob' ||
  fillers.has(token.norm) ||
  fillers.has(token.stem);

/** The tokens between two positions, as written. */
export const textOf = ({ tokens }: Reader, from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');

/** Whether `requested most often` follows, perhaps after `is`. */
export const isHowOften = (reader: Reader): boolean =>
  [0, 1, 2].some(
    (ahead) =>
      ['most', 'least'].includes(peek(reader, ahead)?.norm ?? '') &&
      ['often', 'frequently', 'times'].includes(peek(reader, ahead + 1)?.norm ?? ''),
  );
