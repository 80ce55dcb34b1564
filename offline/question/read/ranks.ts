import { ordinals } from '../../language/lexicon.ts';
import {
  columnValue,
  type Direction,
  isMeasure,
  type Measure,
  measured,
  type Query,
  type Value,
} from '../sql/query.ts';
import type { Column, Table } from '../table/schema.ts';
import {
  doubt,
  either,
  type Match,
  phraseAt,
  type Reads,
  rule,
  type Source,
  skipArticles,
  textOf,
} from './grammar.ts';
import { expression, measure, rowCount } from './measures.ts';
import { moneyOf } from './money.ts';
import { adjectives, column, dimension, isDeed, rows, timeColumn } from './names.ts';
import { number } from './values.ts';
import {
  earnVerbs,
  larger,
  neutralVerbs,
  type Superlative,
  smaller,
  spendVerbs,
  superlatives,
  tradeVerbs,
} from './words.ts';

/** An adjective, and the value that it orders by; undefined if that follows or is not said. */
export interface Adjective {
  readonly word: string;
  readonly direction: Direction;
  readonly by: Value | Measure | undefined;
}

/** `highest`, `top`: only a direction. */
export const direction: Reads<Adjective> = (source, at) => {
  const down = phraseAt(source, at, larger.split('|'));
  const up = phraseAt(source, at, smaller.split('|'));
  const found = down ?? up;
  return (
    found && {
      value: { word: found.value, direction: down ? 'desc' : 'asc', by: undefined },
      end: found.end,
    }
  );
};

/** `slowest`, `most requested`, `best rated`: the value follows from the word. */
export const superlative: Reads<Adjective> = (source, at) => {
  const said = superlatives.flatMap((one) => {
    const found = phraseAt(source, at, one.words);
    return found ? [{ ...one, word: found.value, end: found.end }] : [];
  });
  for (const { word, direction: order, by, end } of said) {
    const value = superlativeValue(source, { by, order, word });
    if (value) return { value: { word, direction: order, by: value }, end };
  }
  const missing = said.find(({ by }) => by !== 'count');
  return missing ? noColumn(source, missing) : participle(source, at);
};

function noColumn(
  { table, doubts }: Source,
  { word, by }: Pick<Superlative, 'by'> & { word: string },
) {
  const goal = by === 'time' ? 'a date' : by.includes('duration') ? 'a duration' : by.slice(0, 3);
  const names = table.columns.map(({ name }) => name).join(', ');
  const message = `"${word}" goes by ${[goal].flat().join(', ')}, and ${table.path} has no such column. Its columns: ${names}.`;
  return doubt({ doubts }, 'NOT_FOUND', message);
}

interface Sought {
  readonly by: Superlative['by'];
  readonly order: Direction;
  readonly word: string;
}

function superlativeValue(source: Source, sought: Sought): Value | Measure | undefined {
  const { by, order, word } = sought;
  if (by === 'count') return oftenest(source.table, word);
  const found = by === 'time' ? timesOf(source, word) : numbersOf(source.table, by, order);
  const [only, ...others] = found;
  if (others.length === 0) return only && columnValue(only);
  const names = found.map(({ name }) => `"${name}"`).join(' or ');
  return doubt(source, 'AMBIGUOUS', `"${word}" may go by ${names}: name the column.`);
}

/** The number of rows, if they record what the verb says: `most requested` of a log. */
function oftenest(table: Table, word: string): Measure | undefined {
  const verb = /\b(?:\w+ed|sold)$/.exec(word)?.[0];
  const isRecorded = verb === undefined || isDeed(table, verb);
  return isRecorded ? rowCount(table.isLog ? 'requests' : 'rows') : undefined;
}

function timesOf(source: Source, word: string): readonly Column[] {
  const hasTime = source.table.columns.some(({ isTime }) => isTime);
  const found = hasTime ? timeColumn(source, word) : undefined;
  return found ? [found] : [];
}

/** The columns of numbers with one of these words in their name; of a maximum and a minimum, the one of this direction. */
export function numbersOf(
  { columns }: Table,
  by: readonly string[],
  order: Direction,
): readonly Column[] {
  const found = columns.filter((own) => own.isNumber && own.words.some((one) => by.includes(one)));
  const end = order === 'desc' ? 'max' : 'min';
  const [only, ...others] = found.filter(({ words }) => words.includes(end));
  return found.length > 1 && only && others.length === 0 ? [only] : found;
}

/** `best rated`, `highest paid` */
function participle(source: Source, at: number): Match<Adjective> | undefined {
  const found = direction(source, at);
  const verb = found && source.tokens[found.end];
  if (!found || verb?.kind !== 'word' || !/ed$|^paid$/.test(verb.norm)) return undefined;
  const by =
    verb.norm === 'paid' ? moneyOf(source.table, 'earn') : column(source, found.end)?.value;
  return by?.column?.isNumber ? { value: { ...found.value, by }, end: found.end + 1 } : undefined;
}

/** `second`, `3rd`, in front of a superlative. */
function ordinal({ tokens }: Source, at: number): number | undefined {
  const { kind, norm = '', text = '', value } = tokens[at] ?? {};
  if (kind === 'word') return ordinals.get(norm);
  return kind === 'number' && /(?:nd|rd|th)$/i.test(text) ? value : undefined;
}

const isRowsOrNothing = ({ subject }: Query) => subject === undefined || subject === 'rows';

/** The number of rows or groups that the subject asks for: one, if it is in the singular. */
const countOf = ({ subjectCount, subjectIsPlural }: Query): number | undefined =>
  subjectCount ?? (subjectIsPlural ? undefined : 1);

function setRank(query: Query, word: string, by: Value | Measure, count = countOf(query)): true {
  query.rank = {
    direction: /^(?:most|last|latest|most recently)$/.test(word) ? 'desc' : 'asc',
    word,
    by,
    count,
  };
  return true;
}

const most = '[the] word:(most|least|fewest)';

/** Ranks by what somebody did: `spent the most`, `sold the most units`, `requested most often`. */
const deeds: readonly Reads<true>[] = [
  rule(
    `lead:(${spendVerbs}|${earnVerbs}) ${most} [money|in total|overall|altogether]`,
    ({ lead = '', word }, { query, table }) => {
      const of = moneyOf(table, lead);
      if (!of || query.rank) return undefined;
      if (!isRowsOrNothing(query)) return setRank(query, word, measured('sum', of, lead));
      // `who earns the most`: each row is somebody.
      if (!/^earn/.test(lead)) return undefined;
      query.subject = 'rows';
      return setRank(query, word, of, query.subjectCount ?? 1);
    },
  ),
  rule(`(${tradeVerbs}) ${most} [total] {of:expression}`, ({ word, of }, { query }) => {
    if (query.rank || isRowsOrNothing(query) || (of.column && !of.column.isNumber))
      return undefined;
    return setRank(query, word, measured('sum', of, `total ${of.words}`));
  }),
  rule(
    `lead:(sold|sells?|bought|ordered) ${most} [often|copies]`,
    ({ lead = '', word }, { query, table }) => {
      const units = table.columns.filter(
        ({ words, isNumber }) =>
          isNumber && /^(?:quantity|qty|unit|copy|sold)$/.test(words.at(-1) ?? ''),
      );
      const [only] = units.length === 1 ? units : [];
      if (query.rank || isRowsOrNothing(query) || !(only ?? isDeed(table, lead))) return undefined;
      return setRank(
        query,
        word,
        only ? measured('sum', columnValue(only), `total ${only.name}`) : rowCount(),
      );
    },
  ),
  rule(
    '[is|are|was|were|gets?|got] [{text}] [the] word:(most|least) (often|frequently|times)',
    ({ word, from, end }, { query, table, tokens }) => {
      const verb = tokens
        .slice(from, end)
        .find(({ norm }) => /ed$|^(?:sold|bought|seen|hit|lent|paid)$/.test(norm));
      const known = /^(?:is|are|was|were|gets?|got|the|most|least|often|frequently|times)$/;
      const isClear = tokens
        .slice(from, end)
        .every((token) => token === verb || known.test(token.norm));
      if (query.rank || isRowsOrNothing(query) || !isClear || (verb && !isDeed(table, verb.norm)))
        return undefined;
      return setRank(query, word, rowCount(table.isLog ? 'requests' : 'rows'));
    },
  ),
  rule(
    '[was|were|is|has been] {column} word:(most recently|last|latest|first|earliest)',
    ({ column: own, word }, { query }) => {
      if (!own.column?.isTime || query.rank) return undefined;
      query.subject ??= 'rows';
      return setRank(query, word, own);
    },
  ),
  rule(`(${neutralVerbs}) ${most} {rows}`, ({ word, rows: all }, { query }) =>
    query.rank || isRowsOrNothing(query)
      ? undefined
      : setRank(query, word, rowCount(all.text, all.where)),
  ),
  rule(
    `{text} ${most} {start} {text2:text} [and how many|and how often]`,
    ({ text, word, start }, { query, table, tokens }) => {
      const root = text.norm.replace(/(?:ed|d|e|s)$/, '');
      const isDoer = ({ words: [name = ''], isNumber }: Column) =>
        !isNumber &&
        root.length > 2 &&
        name.startsWith(root) &&
        /^[a-z]{0,2}(?:er|or)$/.test(name.slice(root.length));
      const doer = table.columns.find(isDoer);
      const { stem = '', norm = '' } = tokens[start] ?? {};
      const isRows =
        table.nouns.has(stem) ||
        table.columns.some(({ words }) => words[0] === stem && words[1] === 'id');
      if (!doer || !isRows || query.rank || query.measures.length > 0) return undefined;
      query.subject = columnValue(doer);
      return setRank(query, word, rowCount(norm), 1);
    },
  ),
];

/** What comes first by some value: `the ten slowest requests`, `top 5 orders by amount`, `the most expensive product`. */
export const rank: Reads<true> = either(...deeds, ranked);

function ranked(source: Source, start: number): Match<true> | undefined {
  const { query } = source;
  const at = skipArticles(source, start);
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
  const found = superlative(source, at) ?? direction(source, at);
  if (!found) return undefined;
  const after = before === undefined ? number(source, found.end) : undefined;
  const given: Ranked = { ...found.value, count: before ?? after?.value };
  const read = given.by === undefined ? byDirection : bySuperlative;
  return read(source, after?.end ?? found.end, given);
}

interface Ranked extends Adjective {
  readonly count: number | undefined;
}

/** `slowest requests`, `most requested endpoints`, `newest order`; returns the index after it. */
function bySuperlative(source: Source, at: number, given: Ranked): number | undefined {
  const named = column(source, at);
  if (named?.value.column?.isTime && isTime(given.by)) return byTime(source.query, named, given);
  const noun = rankedNoun(source, at);
  if (isMeasure(given.by) && noun.subject === 'rows') return undefined;
  const subject = setSubject(source.query, noun);
  const isMany = noun.isPlural && (noun.subject !== undefined || subject !== 'rows');
  setRanked(source.query, given, given.count ?? (isMany ? undefined : 1));
  return noun.end;
}

function setSubject(query: Query, { subject, where }: RankedNoun): Query['subject'] {
  query.subject = subject ?? query.subject ?? 'rows';
  query.where.push(...where);
  return query.subject;
}

const isTime = (by: Value | Measure | undefined) => !isMeasure(by) && by?.column?.isTime === true;

function setRanked(
  query: Query,
  { word, direction: order, by }: Adjective,
  count: number | undefined,
) {
  query.rank = { direction: order, word, by, count };
}

/** `the order with the latest date` */
function byTime(
  query: Query,
  { value, end }: Match<Value>,
  { word, direction: order, count }: Ranked,
) {
  if (query.subject === undefined) return undefined;
  query.rank = { direction: order, word, by: value, count: count ?? countOf(query) };
  return end;
}

interface RankedNoun {
  readonly subject: 'rows' | Value | undefined;
  readonly where: Query['where'];
  readonly isPlural: boolean;
  readonly end: number;
}

/** The ranked object: rows, perhaps of a kind, or the values of a column. */
function rankedNoun(source: Source, start: number): RankedNoun {
  const at = skipArticles(source, start);
  const all = rows(source, at);
  if (all)
    return {
      subject: 'rows',
      where: [...all.value.where],
      isPlural: all.value.isPlural,
      end: all.end,
    };
  const before = adjectives(source, at);
  const found = dimension(source, before.end);
  const isNoun = found && !(found.value.column?.isNumber && found.value.part === undefined);
  const end = isNoun ? found.end : at;
  const last = source.tokens[isNoun ? end - 1 : at];
  return {
    subject: isNoun ? found.value : undefined,
    where: isNoun ? [...before.value] : [],
    isPlural: last !== undefined && last.norm !== last.stem,
    end,
  };
}

/**
 * `highest amount`, `largest orders by amount`, `most requests`. After a noun (`the countries with the highest …`), it
 * ranks the noun; a column of numbers alone gives a maximum or minimum.
 */
function byDirection(
  source: Source,
  at: number,
  { word, direction: order, count }: Ranked,
): number | undefined {
  const { query } = source;
  const value = rankValue(source, at);
  if (value) return ofValue(query, value, { word, direction: order, by: value.value, count });
  const noun = rankedNoun(source, at);
  const isOpen = noun.subject === undefined;
  if (isOpen && word !== 'top') return undefined;
  setSubject(query, noun);
  const by = rankedBy(source, noun.end);
  query.rank = {
    direction: order,
    word,
    by: by?.value,
    count: count ?? (noun.isPlural || isOpen ? undefined : 1),
  };
  return by?.end ?? noun.end;
}

function ofValue(
  query: Query,
  { value, end }: Match<Value | Measure>,
  { word, direction: order, count }: Ranked,
): number | undefined {
  if (query.subject !== undefined && query.measures.length === 0) {
    query.rank = { direction: order, word, by: value, count: count ?? countOf(query) };
    return end;
  }
  if ('fn' in value || count !== undefined) return undefined;
  query.measures.push(measured(order === 'desc' ? 'max' : 'min', value, `${word} ${value.words}`));
  return end;
}

/** What an adjective measures: `total amount`, `number of orders`, `orders`, `amount`. */
function rankValue(source: Source, start: number): Match<Value | Measure> | undefined {
  const at = skipArticles(source, start);
  const found = measure(source, at);
  if (found) return found;
  const all = rows(source, at);
  if (all && !isRowsOrNothing(source.query))
    return { value: rowCount(all.value.text, all.value.where), end: all.end };
  const value = expression(source, at);
  const own = value?.value.column;
  if (!own || own.isNumber || own.isTime) return value;
  // `the course with the most students`
  return value.value.key === undefined
    ? undefined
    : {
        value: measured('distinct', value.value, textOf(source, at, value.end)),
        end: value.end,
      };
}

const byWords = '[of|in|from] [the] [{file}] (by|according to|in terms of|based on) [the|their]';

/** `by amount`, `by number of orders`, perhaps after the file: `of orders.csv by amount`. */
const rankedBy = either<Value | Measure>(
  rule(`${byWords} {measure}`, ({ measure: by }) => by),
  // By a text, rows are grouped.
  rule(`${byWords} {of:expression}`, ({ of }) => {
    const { isNumber, isTime: isOfTime } = of.column ?? { isNumber: true };
    return isNumber || isOfTime ? of : undefined;
  }),
);

/** Whether rows of this table are ranked by a number of rows. */
export const requestCount = ({ isLog }: Table): Measure | undefined =>
  isLog ? rowCount('requests') : undefined;
