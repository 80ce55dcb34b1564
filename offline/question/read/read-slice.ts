import { TaskError } from '../../task-error.ts';
import type { Condition } from '../sql/query.ts';
import { readAdjectives } from './read-condition.ts';
import { eatLogMeaning, eatRowNoun } from './read-names.ts';
import { adjective } from './read-rank.ts';
import { attempt, eat, eatNumber, peek, type Reader, skip } from './reader.ts';

/** `first 3 rows`, `last two orders`, `first row`, `show 5 rows`: rows in the order of the file. */
export const readSlice = (reader: Reader): boolean => attempt(reader, sliceAhead) ?? false;

function sliceAhead(reader: Reader): true | undefined {
  const { query } = reader;
  const isShown = shows.has(reader.tokens[reader.at - 1]?.norm ?? '');
  skip(reader);
  const before = eatNumber(reader);
  const word = eat(
    reader,
    before === undefined ? ['first', 'last', 'top', 'head', 'tail'] : ['first', 'last'],
  );
  const count = before ?? eatNumber(reader) ?? oneRow(reader, word);
  if (count === undefined || (word === undefined && !isShown)) return undefined;
  const where = readAdjectives(reader);
  if (!eatRows(reader, where) || isRanked(reader, word)) return undefined;
  if (query.slice)
    throw new TaskError('NOT_UNDERSTOOD', 'Two ends of the table are asked for: ask for one.');
  query.where.push(...where);
  query.slice = { end: word === 'last' || word === 'tail' ? 'last' : 'first', count };
  query.subject ??= 'rows';
  return true;
}

/** `orders`, or of a log `warnings`. */
function eatRows(reader: Reader, where: Condition[]): boolean {
  const meaning = attempt(reader, eatLogMeaning);
  if (meaning) where.push(meaning);
  return eatRowNoun(reader) || meaning !== undefined;
}

/** `the last order`: one row, if the noun is in the singular. */
function oneRow(reader: Reader, word: string | undefined): number | undefined {
  const inner = { ...reader, query: { ...reader.query } };
  readAdjectives(inner);
  const noun = peek(inner);
  return word !== undefined && word !== 'top' && noun?.norm === noun?.stem ? 1 : undefined;
}

/** `top 3 orders by amount`, `first 2 orders with the highest amount` */
const isRanked = (reader: Reader, word: string | undefined): boolean =>
  isFollowedBySuperlative(reader) || (word === 'top' && orderFollows(reader));

const shows = new Set(['show', 'list', 'give', 'print', 'display', 'me', 'get', 'just', 'only']);

const orderFollows = (reader: Reader): boolean =>
  ['by', 'with'].includes(peek(reader)?.norm ?? '') ||
  (peek(reader, 0)?.kind === 'word' &&
    ['of', 'in', 'from'].includes(peek(reader)?.norm ?? '') &&
    ['by', 'with'].includes(peek(reader, 2)?.norm ?? ''));

const isFollowedBySuperlative = (reader: Reader): boolean => {
  const inner = { ...reader };
  eat(inner, ['with', 'having', 'that have', 'by', 'which have']);
  skip(inner);
  return adjective(inner) !== undefined;
};
