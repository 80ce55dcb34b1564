import { countWords, distinctWords } from '../../language/lexicon.ts';
import type { Condition, Measure } from '../sql/query.ts';
import { readAdjectives, statusCode } from './read-condition.ts';
import { eatColumn, eatDimension, eatLogMeaning, eatRowNoun } from './read-names.ts';
import { attempt, eat, peek, type Reader, skip, textOf } from './reader.ts';

/** `number of orders`, `how many different countries`. */
export function countMeasure(reader: Reader): Measure | undefined {
  const word = eat(reader, countWords);
  if (word === undefined) return undefined;
  skip(reader, ['the', 'all', 'of', 'them', 'their', 'its', 'it', 'me']);
  const from = reader.at;
  const amount = /^how many/.test(word) ? attempt(reader, howMuch) : undefined;
  if (amount) return amount;
  const distinct = eat(reader, distinctWords) !== undefined;
  return (
    countedNoun(reader, { from, distinct }) ?? (isBareCount(reader, word) ? rowCount() : undefined)
  );
}

/** `how many bytes were sent`: the sum of a column of numbers. */
function howMuch(reader: Reader): Measure | undefined {
  const column = eatColumn(reader);
  if (!column?.isNumber || column.words.at(-1) === 'id') return undefined;
  if (!eat(reader, ['were', 'was', 'did', 'have been', 'has been', 'in total', 'altogether']))
    return undefined;
  const of = { sql: column.sql, words: column.name, column };
  return { fn: 'sum', of, where: [], name: `total ${column.name}` };
}

/** `count` without an object counts rows, if nothing, a grouping or a place follows. */
const isBareCount = (reader: Reader, word: string): boolean => {
  const isOfAll = word === 'how many' && eat(reader, ['are there', 'are they']) !== undefined;
  const next = peek(reader);
  if (word === 'how many')
    return (
      next === undefined ||
      next.kind === 'file' ||
      (isOfAll && (next.norm === 'in' || next.kind === 'mark'))
    );
  if (word !== 'count') return false;
  return (
    next === undefined ||
    next.kind === 'mark' ||
    ['by', 'per', 'for', 'in', 'and', 'from', 'of', 'each', 'where'].includes(next.norm) ||
    next.kind === 'file'
  );
};

export const rowCount = (name = 'rows'): Measure => ({ fn: 'count', where: [], name });

/** The object of a count: rows, perhaps of a kind, or the different values of a column. */
export function countedNoun(
  reader: Reader,
  {
    from = reader.at,
    distinct = false,
  }: { readonly from?: number; readonly distinct?: boolean } = {},
): Measure | undefined {
  if (!distinct) {
    const rows = attempt(reader, (inner) => {
      const where = readAdjectives(inner);
      const meaning = eatEither(inner);
      const isNoun = eatRowNoun(inner);
      if (meaning) where.push(meaning);
      if (!isNoun && meaning === undefined) return undefined;
      if (isNoun && isPartOfColumn(inner)) return undefined;
      return { fn: 'count', where, name: textOf(inner, from, inner.at) };
    });
    if (rows) return rows;
  }
  const column = eatDimension(reader);
  return column && { fn: 'distinct', of: column, where: [], name: textOf(reader, from, reader.at) };
}

/** `errors`, `404`, `errors and warnings`: lines of either kind. */
function eatEither(reader: Reader): Condition | undefined {
  const first = eatLogMeaning(reader) ?? statusCode(reader);
  const second =
    first &&
    attempt(reader, (inner) =>
      eat(inner, ['and', 'or']) ? (eatLogMeaning(inner) ?? statusCode(inner)) : undefined,
    );
  if (!first || !second) return first;
  return {
    sql: `(${first.sql} OR ${second.sql})`,
    words: `${first.words} or ${second.words}`,
  };
}

/** `order id` is a column where `order` is a row. */
function isPartOfColumn(reader: Reader): boolean {
  const back = { ...reader, at: reader.at - 1 };
  const column = eatColumn(back);
  return column !== undefined && back.at > reader.at && column.words.length > 1;
}
