import type { Token } from '../../../language/lexer.ts';
import { fillers } from '../../../language/lexicon.ts';
import { rootOf } from '../../../language/verbs.ts';
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
    const said = part.flatMap(({ text }) => nameWords(text));
    // Only with a number in any order: `500g jars` for `Honey jar 500g`
    const isIn = (words: readonly string[]) =>
      said.some((word) => /\d/.test(word))
        ? said.every((word) => words.includes(word))
        : ` ${words.join(' ')} `.includes(` ${said.join(' ')} `);
    const hasIt = (one: string) =>
      isIn(nameWords(one)) && nameWords(one).length <= MAX_WORDS_FOR_EACH * length;
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

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether a message has all words in any form, also joined: `time out` for `timeout`. */
function hasAll(message: string, words: readonly string[]): boolean {
  const own = wordsIn(message);
  const roots = new Set(own.map(rootOf));
  return words.every(
    (word, at) =>
      roots.has(rootOf(word)) ||
      own.includes(`${word}${words[at + 1]}`) ||
      own.includes(`${words[at - 1]}${word}`),
  );
}

/** The order of the words in a message: `alpha called beta` is not `beta called alpha`. */
function orderOf(message: string, words: readonly string[]): string {
  const roots = wordsIn(message).map(rootOf);
  const places = words.map((word) => roots.indexOf(rootOf(word)));
  return words
    .map((_word, at) => at)
    .toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    .join();
}

/** Words before a thing that is counted or asked for, which the messages do not number. */
const counting =
  /^(?:many|much|which|what|whose|of|per|by|each|every|most|least|fewest|different)$/;

/** Words that belong to the verb before them: `log in`, `time out`. The `in` before the name of a file is not one. */
const particles = /(?<=\b(?:log|sign|check|clock)\w* )(?:in|on)$|(?<= )(?:out|up|down|off|back)$/;

/**
 * The condition that a message of a log has all words that no rule read: `how often did the card reader time out`. Undefined
 * if no message has them, or all have.
 */
export function messagesWith(
  { table, tokens }: Source,
  open: readonly number[],
): Condition | undefined {
  const own = table.columns.find(({ name }) => name === 'message');
  const isOurs = tokens.some(({ norm }) => /^(?:i|we|us|my|our|you|your)$/.test(norm));
  // `how many errors did the engine have`, with engine.log
  const isFile = open.every((at) => nounsOf(table.path).includes(tokens[at]?.stem ?? ''));
  if (table.format !== 'log' || !table.isWhole || !own || isFile || isOurs) return undefined;
  const isEvent = open.every(
    (at) =>
      /^(?:word|number)$/.test(tokens[at]?.kind ?? '') &&
      !counting.test(tokens[at - 1]?.norm ?? ''),
  );
  const end = tokens.findLastIndex(({ kind }) => kind === 'word');
  const ending = tokens.slice(Math.max(0, end - 1), end + 1).map(({ norm }) => norm);
  const particle = open.includes(end) ? undefined : particles.exec(ending.join(' '))?.[0];
  const words = [
    ...open.flatMap((at) => wordsIn(tokens[at]?.norm ?? '')),
    ...(particle ? [particle] : []),
  ];
  const messages = [...own.values].filter((one) => hasAll(one, words));
  const orders = new Set(messages.map((one) => orderOf(one, words)));
  if (!isEvent || orders.size !== 1 || messages.length === own.values.size) return undefined;
  const found = membership(own, messages, '=');
  // In parentheses, it does not become an alternative to another condition on messages.
  return { sql: `(${found.sql})`, words: found.words };
}
