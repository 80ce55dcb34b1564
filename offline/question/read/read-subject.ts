import type { Condition, Expression, Query } from '../sql/query.ts';
import { eatComparison } from './read-comparison.ts';
import { readAdjectives } from './read-condition.ts';
import { eatColumn, eatDimension, eatLogMeaning, eatRowNoun, isLongName } from './read-names.ts';
import { readRank } from './read-rank.ts';
import { attempt, eat, eatNumber, isHowOften, peek, type Reader, skip } from './reader.ts';

/** `the name and price of all products`, `only name and price`, `columns name, price` */
export function readColumns(reader: Reader): boolean {
  const { query } = reader;
  if (query.columns.length > 0 || query.measures.length > 0) return false;
  const isOnly =
    eat(reader, [
      'only the columns',
      'only the column',
      'only the',
      'only',
      'just the',
      'just',
      'the columns',
      'columns',
    ]) !== undefined;
  const found = columnsAhead(reader);
  if (found.length === 0) return false;
  const isAll = isOnly || peek(reader)?.norm === 'only';
  if (found.length === 1 && !isAll && !isAloneColumn(reader)) return false;
  if (found.length > 1 && peek(reader)?.norm !== 'of' && eatComparison({ ...reader })) return false;
  query.columns.push(...found);
  eat(reader, ['only']);
  query.subject ??= 'rows';
  return true;
}

function columnsAhead(reader: Reader): Expression[] {
  const found: Expression[] = [];
  let end = reader.at;
  do {
    skip(reader, ['the', 'their', 'its', 'columns', 'fields', 'column']);
    const column = attempt(reader, eatColumn);
    if (!column) break;
    found.push({ sql: column.sql, words: column.name, column });
    end = reader.at;
  } while (eat(reader, [', and', 'and', ',']));
  reader.at = end;
  return found;
}

/** `the customer of each order`, `the customer column`: the cells of one column, not its different values. */
function isAloneColumn(reader: Reader): boolean {
  const isColumn = ['column', 'field'].includes(reader.tokens[reader.at - 1]?.norm ?? '');
  return (
    isColumn ||
    (['of', 'for', 'from', 'in'].includes(peek(reader)?.norm ?? '') && rowsFollow(reader))
  );
}

function rowsFollow(reader: Reader): boolean {
  const inner = { ...reader, query: { ...reader.query } };
  inner.at += 1;
  skip(inner, ['the', 'all', 'each', 'every', 'of']);
  eatNumber(inner);
  const start = inner.at;
  readAdjectives(inner);
  return eatRowNoun(inner) || readRank(inner) || inner.at > start;
}

const articles = new Set(['the', 'their', 'its', 'all', 'a', 'an', 'of']);

/** The subject of a question: rows (`the orders`, `errors`, `POST requests`) or the values of a column (`which countries`). */
export function readSubject(reader: Reader): boolean {
  const { query } = reader;
  const before = reader.tokens.slice(0, reader.at).findLast(({ norm }) => !articles.has(norm));
  const isJoined = before?.norm === 'and' || before?.norm === ',';
  skip(reader);
  const count = query.subject === undefined ? eatNumber(reader) : undefined;
  const where = readAdjectives(reader);
  const meaning = attempt(reader, eatLogMeaning);
  if (meaning) where.push(meaning);
  const noun = peek(reader);
  if (!eatRowNoun(reader) && meaning === undefined)
    return where.length === 0 && readValues(reader, count);
  // `customers and their orders`: two subjects: one of them would be left out.
  if (isJoined && query.subject !== undefined && query.subject !== 'rows') return false;
  if (isLongName({ ...reader, at: reader.at - 1 })) return false;
  if (where.length > 0) conditionsOf(query).push(...where);
  if (meaning === undefined) query.groupNoun ??= noun?.norm;
  query.subject ??= 'rows';
  query.subjectCount ??= count;
  query.subjectIsPlural ||= noun !== undefined && noun.norm !== noun.stem;
  return true;
}

/** The values of a column, if there is no subject yet. */
function readValues(reader: Reader, count: number | undefined): boolean {
  const { query } = reader;
  if (query.subject !== undefined || query.measures.length > 0) return false;
  const dimension = attempt(reader, eatDimension);
  if (!dimension || isAtValue(reader)) return false;
  query.subject = dimension;
  query.subjectCount = count;
  const last = reader.tokens[reader.at - 1];
  query.subjectIsPlural = last !== undefined && last.norm !== last.stem;
  return true;
}

/** A comparison or a value follows: the column belongs to a condition. */
function isAtValue(reader: Reader): boolean {
  const next = peek(reader);
  if (next === undefined || next.norm === 'of') return false;
  if (['number', 'quote', 'date'].includes(next.kind) || next.norm === 'between') return true;
  const isPlace = ['in', 'there', undefined].includes(peek(reader, 1)?.norm);
  if (['is', 'are'].includes(next.norm) && isPlace) return false;
  if (isHowOften(reader)) return false;
  const inner = { ...reader };
  return eatComparison(inner) !== undefined && peek(inner)?.norm !== 'the';
}

/** `different countries`, `unique customers` */
export function readDistinct(reader: Reader): boolean {
  if (!eat(reader, ['distinct', 'different', 'unique'])) return false;
  const column = eatDimension(reader);
  if (!column) return false;
  reader.query.subject = column;
  reader.query.isDistinct = true;
  return true;
}

/** The list for a condition: after a share, that of the share. */
export const conditionsOf = ({ measures, where }: Query): Condition[] => {
  const last = measures.at(-1);
  return last?.fn === 'share' && last.where.length === 0 ? last.where : where;
};
