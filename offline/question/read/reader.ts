import type { Token } from '../../language/lexer.ts';
import { fillers, numberWords } from '../../language/lexicon.ts';
import { nameWords } from '../../language/words.ts';
import { newQuery, type Query } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';

/** A place in the tokens of a question, and what was read so far. */
export interface Reader {
  readonly tokens: readonly Token[];
  /** Behind the last token that is read. */
  readonly end: number;
  readonly table: Table;
  at: number;
  query: Query;
}

export const createReader = (tokens: readonly Token[], table: Table): Reader => ({
  ...{ tokens, table, at: 0, end: tokens.length },
  query: newQuery(),
});

/** A reader of a part of the tokens that adds to a query of its own. */
export const partOf = (reader: Reader, from: number, to: number): Reader => ({
  ...reader,
  ...{ at: from, end: to, query: newQuery() },
});

export const peek = ({ tokens, at, end }: Reader, ahead = 0): Token | undefined =>
  at + ahead < end ? tokens[at + ahead] : undefined;

export const isAtEnd = ({ at, end }: Reader): boolean => at >= end;

/** Takes the first of these phrases that stands here; undefined if none does. Longer ones go first. */
export function eat(reader: Reader, phrases: readonly string[]): string | undefined {
  let best: { phrase: string; length: number } | undefined;
  for (const phrase of phrases) {
    const length = fits(reader, phrase);
    if (length > (best?.length ?? 0)) best = { phrase, length };
  }
  if (best) reader.at += best.length;
  return best?.phrase;
}

/** How many tokens a phrase takes here; 0 if it does not stand here. */
function fits(reader: Reader, phrase: string): number {
  const words = phrase.split(' ');
  for (const [ahead, word] of words.entries()) {
    const token = peek(reader, ahead);
    if (token === undefined || !['word', 'op', 'mark'].includes(token.kind)) return 0;
    if (token.norm !== word) return 0;
  }
  return words.length;
}

/** Takes articles and the like, which say nothing here. */
export function skip(reader: Reader, words: readonly string[] = articles): void {
  while (eat(reader, words) !== undefined);
}

const articles = ['the', 'a', 'an', 'all', 'their', 'its', 'any', 'of', 'those', 'these'];

/** Reads on if `read` gives something; else stays where it is, with the query as it was. */
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

/** Words of the next tokens in the singular, one list for each token: words, numbers, quotes and ticks. */
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

/** Tokens from one place to another as they were written. */
export const textOf = ({ tokens }: Reader, from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');

/** Whether `requested most often` follows, perhaps behind `is`. */
export const isHowOften = (reader: Reader): boolean =>
  [0, 1, 2].some(
    (ahead) =>
      ['most', 'least'].includes(peek(reader, ahead)?.norm ?? '') &&
      ['often', 'frequently', 'times'].includes(peek(reader, ahead + 1)?.norm ?? ''),
  );
