import type { Token } from '../../../language/lexer.ts';
import { fillers } from '../../../language/lexicon.ts';
import { nameWords } from '../../../language/words.ts';
import type { Condition } from '../../sql/query.ts';
import { type Column, nounsOf } from '../../table/schema.ts';
import type { Reads, Source } from '../grammar.ts';
import { nounEnd } from '../rows/rows.ts';
import { persons } from '../rows/who.ts';
import { membership } from './values.ts';

/** Most words of a value for each word that is said: a `young` reader is not `The Diary of a Young Girl`. */
const MAX_WORDS_FOR_EACH = 4;

/** Reads words that several values of one column share: `watering cans` for `watering can 5 l` and `watering can 9 l`. */
export const partOfValues: Reads<Condition> = (source, at) => {
  const { tokens, table } = source;
  let texts: readonly Column[] | undefined;
  for (let length = 4; length > 0 && table.isWhole; length -= 1) {
    const part = tokens.slice(at, at + length);
    // `the engine`, with engine.log
    const isFile = table.format === 'log' && nounsOf(table.path).includes(part[0]?.stem ?? '');
    if (part.length < length || !isPart(source, at, part) || (isFile && length === 1)) continue;
    const said = part.flatMap(({ text }) => nameWords(text)).join(' ');
    const hasIt = (one: string) => {
      const words = nameWords(one);
      return (
        ` ${words.join(' ')} `.includes(` ${said} `) && words.length <= MAX_WORDS_FOR_EACH * length
      );
    };
    texts ??= table.columns.filter(
      (own) => !own.isNumber && !own.isTime && !own.truth && !isProse(own),
    );
    const fitting = texts.flatMap((own) => {
      const values = [...own.values].filter(hasIt);
      // `treatments` does not mean the only value with this word, and `concerts` are all of them, whatever their titles.
      const isPlural = length === 1 && part[0]?.norm !== part[0]?.stem;
      if (isPlural && (values.length === 1 || own.words.includes(part[0]?.stem ?? ''))) return [];
      return values.length > 0 && values.length < own.values.size ? [{ own, values }] : [];
    });
    const [only, ...others] = fitting;
    if (!only || others.length > 0 || isRanked(source, only.values.length)) continue;
    source.query.hasPart = true;
    return { value: membership(only.own, only.values, '='), end: at + length };
  }
  return undefined;
};

/** Whether values are prose, such as comments: a word of a question may be in one of them by chance. */
export function isProse({ values, words: [name = ''] }: Column): boolean {
  if (/^(?:comment|note|remark|review|feedback)$/.test(name)) return true;
  let words = 0;
  for (const value of values) words += nameWords(value).length;
  return words > MAX_NAME_WORDS * values.size;
}

/** Longest names, as the mean number of words of a column: comments are longer. */
const MAX_NAME_WORDS = 4;

/** Whether words may be a part of a value. In `did we open`, `open` is a verb. */
const isPart = (source: Source, at: number, part: readonly Token[]): boolean =>
  // `the oldest runner`, with a club `Northside Runners`
  // `which plant`, with a supplier `Van Houten Plants`
  !(part.length === 1 && (persons.test(part[0]?.stem ?? '') || nounEnd(source, at))) &&
  part.every(({ kind, norm }) => kind === 'word' && !fillers.has(norm)) &&
  (part.length > 1 || (part[0]?.norm.length ?? 0) > 3) &&
  !/^(?:i|we|you|they)$/.test(source.wordAt(at - 1));

/** Whether the question ranks more rows than there are such values: `the five most expensive treatments`. */
const isRanked = ({ query: { rank } }: Source, values: number): boolean =>
  rank !== undefined && (rank.count ?? 2) > values;
