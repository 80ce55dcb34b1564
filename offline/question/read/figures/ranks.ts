import { ordinals } from '../../../language/lexicon.ts';
import {
  type Condition,
  isMeasure,
  type Measure,
  measured,
  type Query,
  type Value,
} from '../../sql/query.ts';
import type { Table } from '../../table/schema.ts';
import { dimension } from '../columns/dimension.ts';
import { repeatedLabel } from '../columns/name-forms.ts';
import { column } from '../columns/names.ts';
import { either, type Match, type Reads, rule, type Source } from '../grammar.ts';
import { countOf, deeds, isRowsOrNothing } from '../rows/deeds.ts';
import { adjectives, logMeaning, rows } from '../rows/rows.ts';
import { number } from '../values/amounts.ts';
import { rowCount } from './counts.ts';
import { expression } from './expressions.ts';
import { measure } from './measures.ts';
import { isMass, isMoneyNoun, moneyOf } from './money.ts';
import { type Adjective, direction, superlative, wayOf } from './superlatives.ts';

/** Reads the position before a superlative: `second`, `3rd`. */
function ordinal({ tokens }: Source, at: number): number | undefined {
  const { kind, norm = '', text = '', value } = tokens[at] ?? {};
  if (kind === 'word') return ordinals.get(norm);
  return kind === 'number' && /(?:nd|rd|th)$/i.test(text) ? value : undefined;
}

/** Reads a ranking: `the ten slowest requests`, `top 5 orders by amount`, `the most expensive product`. */
export const rank: Reads<true> = either(...deeds, ranked);

function ranked(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  const at = source.skipArticles(start);
  const nth = ordinal(source, at);
  const count = nth === undefined ? number(source, at) : { value: 1, end: at + 1 };
  const end = query.rank ? undefined : adjectiveAndNoun(source, count?.end ?? at, count?.value);
  if (end === undefined) return undefined;
  if (nth === undefined) return { value: true, end };
  query.skip = nth - 1;
  return query.rank ? { value: true, end } : undefined;
}

function adjectiveAndNoun(
  source: Source,
  at: number,
  before: number | undefined,
): number | undefined {
  const said = superlative(source, at) ?? direction(source, at);
  if (!said) return undefined;
  const isOne = /^(?:single|individual)$/.test(source.wordAt(said.end));
  const found = isOne ? { ...said, end: said.end + 1 } : said;
  const after = before === undefined ? number(source, found.end) : undefined;
  const given: Ranked = { ...found.value, count: before ?? after?.value };
  const read = given.by === undefined ? byDirection : bySuperlative;
  return read(source, after?.end ?? found.end, given);
}

interface Ranked extends Adjective {
  readonly count: number | undefined;
}

/** Reads `slowest requests`, `most requested endpoints`, `newest order`. Returns the index after it. */
function bySuperlative(source: Source, at: number, given: Ranked): number | undefined {
  const named = column(source, at);
  if (named && isSameKind(named.value, given.by)) return rankBy(source.query, named, given);
  const noun = superlativeNoun(source, at, given);
  if (!noun) return undefined;
  const subject = setSubject(source.query, noun);
  const isOpen = !isMeasure(given.by) || given.word === 'busiest';
  const by = isOpen ? rankedBy(source, noun.end) : undefined;
  const isMany = noun.isPlural && (noun.subject !== undefined || subject !== 'rows');
  const count = given.count ?? (isMany ? undefined : 1);
  source.query.rank = { ...given, ...(by && { by: by.value }), count };
  return by?.end ?? noun.end;
}

/** Whether a column is the one that a superlative ranks by, or both are times: `the fastest time`, `the latest date`. */
const isSameKind = ({ sql, column: own }: Value, by: Value | Measure | undefined): boolean =>
  own?.isTime ? isTime(by) : !isMeasure(by) && by?.sql === sql;

/** The ranked object, if the superlative fits it. */
function superlativeNoun(source: Source, at: number, { by, word }: Ranked): RankedNoun | undefined {
  const noun = rankedNoun(source, at);
  const own = noun.subject === 'rows' ? undefined : noun.subject?.column;
  // `the oldest host` does not mean the host of the oldest backup.
  const isOfOthers = own !== undefined && own.values.size < source.table.rows;
  if (/^(?:oldest|youngest|newest)$/.test(word) && isTime(by) && isOfOthers) return undefined;
  if (!isMeasure(by) || noun.subject !== 'rows') return noun;
  // `the most read book` is a title.
  const subject = repeatedLabel(source.table);
  return subject && { ...noun, subject };
}

function setSubject(query: Query, { subject, where }: RankedNoun): Query['subject'] {
  query.subject = subject ?? query.subject ?? 'rows';
  query.where.push(...where);
  return query.subject;
}

/** Whether a ranking is by a time. */
export const isTime = (by: Value | Measure | undefined) =>
  !isMeasure(by) && by?.column?.isTime === true;

/** Ranks what the question asks for, if it is known: `the order with the latest date`. */
function rankBy(
  query: Query,
  { value, end }: Match<Value | Measure>,
  { word, direction: order, count }: Omit<Ranked, 'by'>,
): number | undefined {
  if (query.subject === undefined) return undefined;
  query.rank = { direction: order, word, by: value, count: count ?? countOf(query) };
  return end;
}

interface RankedNoun {
  readonly subject: 'rows' | Value | undefined;
  readonly where: readonly Condition[];
  readonly isPlural: boolean;
  readonly end: number;
}

/** The ranked object: rows, possibly with a condition, or the values of a column. */
function rankedNoun(source: Source, start: number): RankedNoun {
  const at = source.skipArticles(start);
  // `most frequent error message`
  const meaning = logMeaning(source, at);
  const ofMeaning = meaning && dimension(source, meaning.end);
  const all = ofMeaning ? undefined : rows(source, at);
  if (all) return { ...all.value, subject: 'rows', end: all.end };
  const before = ofMeaning ? { value: [meaning.value], end: meaning.end } : adjectives(source, at);
  const found = dimension(source, before.end);
  const isNoun = found && !(found.value.column?.isNumber && found.value.part === undefined);
  const end = isNoun ? found.end : at;
  const last = source.tokens[isNoun ? end - 1 : at];
  return {
    subject: isNoun ? found.value : undefined,
    where: isNoun ? before.value : [],
    isPlural: last !== undefined && last.norm !== last.stem,
    end,
  };
}

/**
 * Reads `highest amount`, `largest orders by amount`, `most requests`.
 * After a noun (`the countries with the highest …`), it ranks the noun. A numeric column alone gives a maximum or
 * minimum.
 */
function byDirection(
  source: Source,
  at: number,
  { word, direction: order, count }: Ranked,
): number | undefined {
  const { query } = source;
  const value = rankValue(source, at);
  if (value) {
    const way = wayOf(word, order, value.value);
    return ofValue(query, value, { word, direction: way, count });
  }
  const noun = rankedNoun(source, at);
  const isOpen = noun.subject === undefined;
  // `which greenhouse is the largest`
  const isOfSize = /^(?:largest|biggest|smallest)$/.test(word) && source.isAtEnd(at);
  if (isOpen && word !== 'top' && !(isOfSize && query.subject === 'rows')) return undefined;
  setSubject(query, noun);
  const by = rankedBy(source, noun.end);
  query.rank = {
    direction: wayOf(word, order, by?.value),
    word,
    by: by?.value,
    count: count ?? (isOfSize ? countOf(query) : noun.isPlural || isOpen ? undefined : 1),
  };
  return by?.end ?? noun.end;
}

function ofValue(
  query: Query,
  found: Match<Value | Measure>,
  given: Omit<Ranked, 'by'>,
): number | undefined {
  const { value, end } = found;
  if (query.subject !== undefined && query.measures.length === 0)
    return rankBy(query, found, given);
  if (isMeasure(value) || given.count !== undefined) return undefined;
  const fn = given.direction === 'desc' ? 'max' : 'min';
  query.measures.push(measured(fn, value, `${given.word} ${value.words}`));
  return end;
}

/** Reads the value after an adjective: `total amount`, `number of orders`, `orders`, `amount`. */
function rankValue(source: Source, start: number): Match<Value | Measure> | undefined {
  const at = source.skipArticles(start);
  const isMost = /^(?:most|least|fewest)$/.test(source.wordAt(start - 1));
  const found = numberOf(source, at) ?? measure(source, at) ?? measureOfRows(source, at, isMost);
  if (found) return found;
  const value = expression(source, at);
  const own = value?.value.column;
  if (own?.isKey) return undefined;
  if (!own || own.isNumber || own.isTime) return value;
  // `the course with the most students`
  return value.value.key === undefined || !isMost
    ? undefined
    : { value: measured('distinct', value.value, source.textOf(at, value.end)), end: value.end };
}

/** The number of rows for `the month with the most sales`, their sum for `the highest sales`. */
function measureOfRows(source: Source, at: number, isMost: boolean): Match<Measure> | undefined {
  const all = isRowsOrNothing(source.query) ? undefined : rows(source, at);
  if (!all || isMass(all.value, source.table)) return undefined;
  const { text, stem, where } = all.value;
  const money = !isMost && isMoneyNoun(stem) ? moneyOf(source.table, text) : undefined;
  const sum = money && { ...measured('sum', money, `total ${money.words}`), where };
  // `the field with the biggest harvest` may mean an amount instead of a number of rows.
  const isCounted = isMost || sum !== undefined;
  return isCounted ? { value: sum ?? rowCount(text, where), end: all.end } : undefined;
}

/** Reads a column after `number of`: `number of pages`, with a column `pages`. */
const numberOf = rule('number of {column}', ({ column: own }, { query }) =>
  own.column?.isNumber && isRowsOrNothing(query) ? own : undefined,
);

const byWords = '[of|in|from] [the] [{file}] (by|according to|in terms of|based on) [the|their]';

/** Reads `by amount`, `by number of orders`, possibly after the file: `of orders.csv by amount`. */
const rankedBy = either<Value | Measure>(
  rule(`${byWords} {measure}`, ({ measure: by }) => by),
  // A text would group the rows.
  rule(`${byWords} {of:expression}`, ({ of }) => {
    const { isNumber, isTime: isOfTime } = of.column ?? { isNumber: true };
    return isNumber || isOfTime ? of : undefined;
  }),
);

/** The number of requests, by which rows of a log are ranked. Undefined for other tables. */
export const requestCount = ({ isLog }: Table): Measure | undefined =>
  isLog ? rowCount('requests') : undefined;
