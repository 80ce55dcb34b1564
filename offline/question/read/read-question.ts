import type { Token } from '../../language/lexer.ts';
import type { Measure, Query } from '../sql/query.ts';
import type { Table } from '../table/schema.ts';
import { eatCondition } from './read-condition.ts';
import { rowCount } from './read-count.ts';
import { readDeclaration } from './read-declaration.ts';
import { readCounting, readGroup, readHaving } from './read-group.ts';
import { eatMeasures } from './read-measure.ts';
import { readOrder } from './read-order.ts';
import { readOutput } from './read-output.ts';
import { readRank } from './read-rank.ts';
import { readSlice } from './read-slice.ts';
import { spentOnAverage } from './read-spending.ts';
import { conditionsOf, readColumns, readDistinct, readSubject } from './read-subject.ts';
import {
  attempt,
  createReader,
  eat,
  isAtEnd,
  isFiller,
  partOf,
  peek,
  type Reader,
} from './reader.ts';

/** A question as it was read, and the words that no rule understood. */
export interface ReadQuestion {
  readonly query: Query;
  readonly reader: Reader;
  readonly leftover: readonly Token[];
}

type Rule = (reader: Reader) => boolean;

/** The first rule that matches wins. */
const rules: readonly Rule[] = [
  readDeclaration,
  readDefinition,
  readOutput,
  readOrder,
  readHaving,
  readSlice,
  readRank,
  readGroup,
  readCounting,
  readMeasure,
  readTrailingCount,
  readColumns,
  readSubject,
  readCondition,
  readDistinct,
  readGlossed,
];

/** Reads a question against the columns and values of a table. */
export function readQuestion(tokens: readonly Token[], table: Table): ReadQuestion {
  const reader = createReader(tokens, table);
  const leftover = readAll(reader);
  if (leftover.length === 0 && isWholeTable(tokens)) reader.query.subject ??= 'rows';
  return { query: reader.query, reader, leftover };
}

/** `Show orders.csv as a table`: only a verb, the file and a format. */
const isWholeTable = (tokens: readonly Token[]): boolean =>
  /^(?:show|list|display|print|view|convert|export|save|read|open)$/.test(tokens[0]?.norm ?? '') &&
  tokens.slice(1).every(({ kind, norm }) => kind !== 'word' || tableWords.has(norm));

const tableWords = new Set(
  'me all the whole entire contents content data rows of in from a as table markdown csv json tsv to into file please'.split(
    ' ',
  ),
);

function readAll(reader: Reader): Token[] {
  const leftover: Token[] = [];
  while (!isAtEnd(reader)) {
    if (rules.some((rule) => attempt(reader, (inner) => rule(inner) || undefined))) continue;
    const token = peek(reader);
    if (token && !isFiller(token)) leftover.push(token);
    reader.at += 1;
  }
  return leftover;
}

/** `France (country FR)`: an unknown word with its value. */
function readGlossed(reader: Reader): boolean {
  if (peek(reader)?.kind !== 'word' || peek(reader, 1)?.norm !== '(') return false;
  reader.at += 2;
  const condition = eatCondition(reader);
  if (!condition || !/^\S+ = '/.test(condition.sql) || !eat(reader, [')'])) return false;
  conditionsOf(reader.query).push(condition);
  return true;
}

/** `(not_found = number of their requests answered with 404)` */
function readDefinition(reader: Reader): boolean {
  eat(reader, ['(', ',', 'where', 'and']);
  const token = peek(reader);
  if (
    token?.kind !== 'word' ||
    !['=', 'is', 'means', 'being', ':'].includes(peek(reader, 1)?.norm ?? '')
  )
    return false;
  if (!reader.query.shape && !reader.query.keys) return false;
  if (!isKey(reader.query, token.text)) return false;
  let end = reader.at + 2;
  while (
    end < reader.end &&
    ![')', ';'].includes(reader.tokens[end]?.norm ?? '') &&
    !(reader.tokens[end]?.norm === '.')
  )
    end += 1;
  const measure = readOne(reader, reader.at + 2, end);
  if (!measure) return false;
  reader.query.definitions.set(token.text, { ...measure, name: token.text });
  reader.at = Math.min(reader.end, end + 1);
  return true;
}

const isKey = ({ shape, keys }: Query, word: string) =>
  keys?.includes(word) === true ||
  shape?.entries.some(
    ({ key, inner }) => key === word || inner?.entries.some((one) => one.key === word),
  ) === true;

/** The measure that some words describe, with its conditions; undefined if a word is not understood. */
export function readOne(reader: Reader, from: number, to: number): Measure | undefined {
  const inner = partOf(reader, from, to);
  const leftover = readAll(inner);
  const { query } = inner;
  const [measure] = query.measures;
  if (
    leftover.length > 0 ||
    query.measures.length !== 1 ||
    !measure ||
    query.groups.length > 0 ||
    query.rank
  )
    return undefined;
  return { ...measure, where: [...measure.where, ...query.where] };
}

function readMeasure(reader: Reader): boolean {
  const { query } = reader;
  const spent = attempt(reader, spentOnAverage);
  const measures = spent ? [spent] : eatMeasures(reader);
  if (!measures) return false;
  query.measures.push(...measures);
  if (measures.some(({ fn }) => fn === 'count' || fn === 'share')) query.subject ??= 'rows';
  return true;
}

/** `different clients: how many?` */
function readTrailingCount(reader: Reader): boolean {
  const { query } = reader;
  if (query.subject === undefined || query.measures.length > 0 || query.rank) return false;
  if (!eat(reader, ['how many', 'how many are there', 'how many are they'])) return false;
  if (peek(reader) !== undefined && peek(reader)?.kind !== 'mark') return false;
  const { subject } = query;
  if (subject === 'rows') query.measures.push(rowCount());
  else {
    const name = `different ${subject.words}`;
    query.measures.push({ fn: 'distinct', of: subject, where: [], name });
    query.subject = undefined;
    query.isDistinct = false;
  }
  return true;
}

function readCondition(reader: Reader): boolean {
  const { query } = reader;
  const condition = eatCondition(reader);
  if (!condition) return false;
  conditionsOf(query).push(condition);
  return true;
}
