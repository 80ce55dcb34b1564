import type { Dimension, Expression, Filter, Order } from '../tables/query.ts';
import { unclear } from './failures.ts';
import { type NamedMeasure, textFrom } from './named-measure.ts';
import { parseCount } from './number-words.ts';
import { parseDimension } from './parse-dimension.ts';
import { columnOfExpression, parseExpression } from './parse-expression.ts';
import { parseHaving, type SaidHaving } from './parse-having.ts';
import { parseMeasures } from './parse-measure.ts';
import { type Noun, parseNoun } from './parse-noun.ts';
import { attempt, eat, listOf, norm, type Parser, peek, skipArticles } from './parser.ts';
import { directions, parseSuperlative, type Superlative } from './superlatives.ts';

type Direction = Order['direction'];

/** What a ranking goes by: a measure of groups, or a value of rows. */
export type RankKey =
  | {
      readonly measures: readonly NamedMeasure[];
      readonly direction: Direction;
      /** "with the most …" rather than "by …". */
      readonly isSuperlative: boolean;
    }
  | {
      readonly expression: Expression;
      readonly direction: Direction;
      readonly phrase: string;
      readonly isSuperlative: boolean;
    };

/** Rows or groups in an order: "the ten slowest requests", "five countries with the highest total revenue". */
export interface Ranking {
  readonly kind: 'ranking';
  readonly noun: Noun;
  readonly limit: number | undefined;
  readonly head: Head['word'];
  readonly superlative: Superlative | undefined;
  readonly key: RankKey | undefined;
  readonly having: SaidHaving | undefined;
  /** Whether a "top", a number or an adjective stood there: otherwise it is a plain list. */
  readonly isRanked: boolean;
  readonly direction: Direction;
  readonly phrase: string;
}

/** "Name and Price of all products": columns of rows. */
export interface Selection {
  readonly kind: 'selection';
  readonly columns: readonly Dimension[];
  readonly isDistinct: boolean;
  readonly filters: readonly Filter[];
}

/** A ranking or a list of rows or groups. */
export function parseRanking(parser: Parser): Ranking | undefined {
  const start = parser.at;
  skipArticles(parser);
  const head = parseHead(parser);
  const superlative = attempt(parser, parseSuperlative);
  const plain = superlative ? undefined : attempt(parser, parseDirectionOnly);
  const noun = parseNoun(parser);
  if (!noun) return undefined;
  const nounDirection = plain ?? head.direction;
  const behind = superlative ?? attempt(parser, parsePredicate);
  const having = attempt(parser, parseHaving);
  const isHeaded = head.isRanked || superlative !== undefined || plain !== undefined;
  const key = having
    ? undefined
    : attempt(parser, (inner) => parseKey(inner, { noun, isHeaded }, nounDirection));
  if (plain && (!key || key.isSuperlative)) return undefined;
  const isRanked = isHeaded || behind !== undefined || key !== undefined;
  return {
    kind: 'ranking',
    noun,
    limit: head.limit ?? defaultLimit(noun, isRanked),
    head: head.word,
    superlative: behind,
    key,
    having,
    isRanked,
    direction: nounDirection,
    phrase: textFrom(parser, start),
  };
}

/** @throws TaskError where a ranking says two things at once: "the last five slowest …", "the slowest … with the most …". */
export function assertOneWay({ head, superlative, key, having, noun, phrase }: Ranking): void {
  const isWorded = superlative !== undefined || key?.isSuperlative === true;
  const isTwice =
    ((head === 'last' || head === 'bottom') && isWorded) ||
    (superlative !== undefined && key !== undefined) ||
    (having !== undefined && isWorded);
  if (isTwice) throw unclear(`"${phrase}" says two things about which come first.`);
  if (having && !noun.dimension)
    throw unclear(`"${phrase}" has a condition on groups, but rows are listed.`);
}

/** "Which user agent is the most common?" */
function parsePredicate(parser: Parser): Superlative | undefined {
  if (!eat(parser, 'is', 'are', 'was', 'were')) return undefined;
  skipArticles(parser);
  return parseSuperlative(parser);
}

/** Entries shown where a top list gives no number; the answer says so. */
export const DEFAULT_TOP = 10;

function defaultLimit(noun: Noun, isRanked: boolean): number | undefined {
  if (!isRanked) return undefined;
  return noun.isPlural ? DEFAULT_TOP : 1;
}

interface Head {
  readonly word: 'top' | 'first' | 'last' | 'bottom' | undefined;
  readonly limit: number | undefined;
  readonly isRanked: boolean;
  readonly direction: Direction;
}

/** `top ten`, `ten`, `first 5`, `last 5`, `bottom three`. */
function parseHead(parser: Parser): Head {
  const word = eat(parser, 'top', 'first', 'last', 'bottom');
  if (word !== undefined) eat(parser, '-');
  const limit = attempt(parser, parseLimit);
  return {
    word: word as Head['word'],
    limit,
    isRanked: word !== undefined || limit !== undefined,
    direction: word === 'bottom' ? 'ascending' : 'descending',
  };
}

/** A number in front of what it counts; a status ("404 errors") or a unit ("200 ms") is none. */
function parseLimit(parser: Parser): number | undefined {
  const token = peek(parser);
  const next = peek(parser, 1);
  const isGlued = token?.kind === 'number' && next?.start === token.end && next.kind === 'word';
  if (isGlued) return undefined;
  if (
    token?.kind === 'number' &&
    /^[1-5]\d\d$/.test(token.norm) &&
    /^(?:errors?|responses?|not)$/.test(norm(parser, 1))
  ) {
    return undefined;
  }
  return parseCount(parser);
}

const parseDirectionOnly = (parser: Parser): Direction | undefined =>
  directions.find(([phrases]) => eat(parser, ...phrases))?.[1];

const withWords = [
  'with',
  'having',
  'that have',
  'which have',
  'that has',
  'which has',
  'has',
  'have',
  'had',
  'that had',
  'that made',
  'who made',
  'made',
  'making',
  'that sent',
  'sent',
  'has sent',
  'have sent',
  'have made',
  'has made',
  'have caused',
  'has caused',
  'sending',
  'causing',
  'that cause',
  'causes',
  'caused',
  'producing',
  'that produced',
  'that produce',
  'produced',
  'receiving',
  'that received',
  'received',
  'get',
  'gets',
  'got',
  'showing',
  'by the',
  'by',
  'ranked by',
  'ordered by',
  'sorted by',
  'according to',
  'in terms of',
  'measured by',
  'for',
];
const plainWords = new Set([
  'by',
  'ranked by',
  'ordered by',
  'sorted by',
  'according to',
  'in terms of',
  'measured by',
]);

/** `with the most errors`, `by average duration`, `with the highest total revenue`. */
function parseKey(
  parser: Parser,
  { noun, isHeaded }: { noun: Noun; isHeaded: boolean },
  direction: Direction,
): RankKey | undefined {
  const link = eat(parser, ...withWords);
  if (link === undefined) return undefined;
  skipArticles(parser);
  const superlative = attempt(parser, parseDirectionOnly);
  if (superlative === undefined && !(isHeaded && plainWords.has(link))) return undefined;
  skipArticles(parser);
  const given = superlative ?? direction;
  const key = noun.dimension ? parseGroupKey(parser, given) : parseRowKey(parser, given);
  return key && { ...key, isSuperlative: superlative !== undefined };
}

type BareKey =
  | { readonly measures: readonly NamedMeasure[]; readonly direction: Direction }
  | { readonly expression: Expression; readonly direction: Direction; readonly phrase: string };

function parseGroupKey(parser: Parser, direction: Direction): BareKey | undefined {
  const measures = parseMeasures(parser);
  return measures?.length === 1 ? { measures, direction } : undefined;
}

function parseRowKey(parser: Parser, direction: Direction): BareKey | undefined {
  const start = parser.at;
  const dimension = attempt(parser, parseDimension);
  if (dimension && dimension.expression.kind === 'part') {
    return {
      expression: { ...dimension.expression, part: 'second' },
      direction,
      phrase: textFrom(parser, start),
    };
  }
  parser.at = start;
  const expression = parseExpression(parser);
  const column = expression && columnOfExpression(parser, expression);
  if (column && column.type !== 'number') return undefined;
  return expression && { expression, direction, phrase: textFrom(parser, start) };
}

/** Columns to show: `the Name and Price`, followed by `of`, `for`, or the end. */
export function parseSelection(parser: Parser): Selection | undefined {
  skipArticles(parser);
  const isDistinct = eat(parser, 'distinct', 'unique', 'different') !== undefined;
  const columns = listOf(parser, (inner) => attempt(inner, parseDimension));
  if (!columns) return undefined;
  const behind = attempt(parser, (inner) => {
    if (!eat(inner, 'of', 'for')) return undefined;
    const noun = parseNoun(inner);
    if (noun?.dimension)
      throw unclear(`"${noun.phrase}" is a column; rows were expected behind "of".`);
    return noun;
  });
  if (columns.length === 1 && !isDistinct && !behind) return undefined;
  return { kind: 'selection', columns, isDistinct, filters: behind?.filters ?? [] };
}
