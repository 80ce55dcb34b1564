import { amountNouns, unitWords } from '../../../language/lexicon.ts';
import type { Measure, Value } from '../../sql/query.ts';
import { columnValue, measured } from '../../sql/query.ts';
import { type Column, isAmount, type Table } from '../../table/schema.ts';
import { column, nameOf } from '../columns/names.ts';
import {
  either,
  listOf,
  looseRule,
  type Match,
  type Reads,
  rule,
  type Source,
  single,
} from '../grammar.ts';
import { nounEnd, type Rows } from '../rows/rows.ts';
import { spanMeasure } from '../times/spans.ts';
import { timeColumn } from '../times/time-columns.ts';
import { aggregates } from '../words.ts';
import { counts, rowCount, shares } from './counts.ts';
import { calculated, expression, worth } from './expressions.ts';
import { adding, isMoneyNoun, isRate, moneyOf, priceOf } from './money.ts';
import { timesAndMoney } from './money-measures.ts';

/** Any column has a minimum and a maximum; the other figures need numbers. */
const isFigureOf = ({ column: own }: Value, fn: string): boolean =>
  fn === 'min' || fn === 'max' || !own || own.isNumber || own.isBoolean;

/** The only numeric column that can be summed. */
function onlyAmount({ columns }: Table): Value | undefined {
  const only = single(columns.filter(isAmount));
  return only && adding.test(only.words.at(-1) ?? '') ? columnValue(only) : undefined;
}

/** Columns that say how something ended. */
const states = /^(?:status|state|stage|result|outcome|decision)$/;

const percent = '(percentile [of]|percent quantile of)';

/** Other calculations: `95th percentile of the duration`, `share of orders`, `amount total`, `error rate`, `revenue`. */
const otherFigures: readonly Reads<Measure>[] = [
  rule(`{text} [${percent}] [the] {of:expression}`, ({ text, of, from, end }, source) => {
    const glued = /^p(\d{2}(?:\.\d+)?)$/.exec(text.norm)?.[1];
    const isSaid = source.phraseAt(from + 1, ['percentile', 'percent quantile']) !== undefined;
    const given = glued === undefined ? (isSaid ? text.value : undefined) : Number(glued);
    if (given === undefined || given <= 0 || given >= 100) return undefined;
    const name = glued === undefined ? `p${given} ${of.words}` : source.textOf(from, end);
    return { ...measured('percentile', of, name), percent: given };
  }),
  ...shares,
  rule(
    'how much [money] (did|does|do|has|have) {value} (sell|make|sold|made|bought|buy|spent|spend|paid|pay|cost) [from us] [on]',
    ({ value: kind }, { table }) => {
      const of = moneyOf(table, 'sold');
      return of && { ...measured('sum', of, 'sold'), where: [kind] };
    },
  ),
  // `by how much did the total spending differ from the total planned`
  rule(
    `((difference|gap) between [the|our|my] total|by how much (did|does|do) [the|our|my] [total]) {of:expression} (and|differ from|exceed|deviate from) [the|our|my] [total] {of2:expression}`,
    ({ of, of2 }) => {
      const isBoth = of2 && [of, of2].every(({ column: own }) => own && isAmount(own));
      const [left, right] = [of, of2].map(
        (own) => own && { ...own, sql: `coalesce(${own.sql}, 0)` },
      );
      const value = isBoth && left && right ? calculated(left, '-', right, false) : undefined;
      return value && measured('sum', value, `total ${value.words}`);
    },
  ),
  // `total per item`, `rent total`
  rule('[{value}] {start} (total|totals|sum)', ({ value: kind, start, from, end }, source) => {
    if (column(source, start)) return undefined;
    if (!source.isAtEnd(end) && !/^(?:per|by|for|each|in)$/.test(source.wordAt(end)))
      return undefined;
    const of = moneyOf(source.table, 'total') ?? onlyAmount(source.table);
    const where = kind ? [kind] : [];
    return of && { ...measured('sum', of, source.textOf(from, end)), where };
  }),
  // `error rate`, `failure rate of deploys`
  looseRule(
    '[the|our|a] ({rows}|{value}) (rate|ratio) [of [the|all|our] {noun}]',
    ({ rows: all, value: kind }, { table }): Measure | undefined => {
      if (table.columns.some(({ words }) => /^(?:rate|ratio)$/.test(words.at(-1) ?? '')))
        return undefined;
      // A tax rate is not the share of rows with the category `tax`.
      const isState = kind?.column?.words.some((word) => states.test(word));
      const where = all?.where ?? (kind && isState ? [kind] : []);
      const name = `% ${all?.text ?? kind?.value}`;
      return where.length === 0 ? undefined : { fn: 'share', where, name };
    },
  ),
];

/** `revenue`, `how much stock value` */
const worthFigure: Reads<Measure> = (source, at) => {
  const found = worth(source, at);
  return found && { ...found, value: measured('sum', found.value, source.textOf(at, found.end)) };
};

const isUnit = new RegExp(`^(?:${unitWords})$`);

const skipped = '[the|a|of|all|up|my|our|their|its|value|values|in|each]';

/** Reads a word for a calculation: `sum of`, `average`. */
export const aggregate: Reads<Measure['fn']> = either(
  ...aggregates.map(([words, fn]) => rule(`(${words})`, () => fn)),
);

/** A word for a calculation as it is said in the name of its output. */
const aggregateSaid = (source: Source, at: number): string =>
  /^total of$|^\S*/.exec(source.normOf(at, at + 2))?.[0] ?? '';

/** Calculations with a word for them: `sum of amount`, `average price`, `total orders`, `total refunded`. */
const ofAggregates: readonly Reads<Measure>[] = [
  rule(
    `{aggregate} ${skipped} ${skipped} [number of|count of] {rows}`,
    ({ aggregate: fn, rows: all, from, end }, source) =>
      column(source, end) ? undefined : figureOfRows(source, all, aggregateSaid(source, from), fn),
  ),
  rule(
    `{aggregate} {start} ${skipped} ${skipped} {value}`,
    ({ aggregate: fn, value: kind, from, start, end }, source) => {
      if (!source.isAtEnd(end) && !/^(?:per|by|for|in|of|each)$/.test(source.wordAt(end)))
        return undefined;
      const text = source.textOf(source.skipArticles(start), end);
      const of = moneyOf(source.table, text);
      return of && { ...measured(fn, of, `${aggregateSaid(source, from)} ${text}`), where: [kind] };
    },
  ),
  explained,
  rule(
    `{aggregate} ${skipped} ${skipped} {rows} in {of:column}`,
    ({ aggregate: fn, of, rows: { where }, from }, source) =>
      of.column && isUnit.test(nameOf(of.column)) && isAmount(of.column)
        ? { ...measured(fn, of, `${aggregateSaid(source, from)} ${of.words}`), where }
        : undefined,
  ),
  rule(
    `{aggregate} ${skipped} ${skipped} [number of|word:(amount of)] {of:expression} [per {noun}]`,
    ({ aggregate: fn, of, noun: row, word, from }, source) => {
      // With a column `amount`, `total amount of the tickets` is about it.
      if (word && source.table.columns.some((own) => nameOf(own) === 'amount')) return undefined;
      // `average amount per item` groups if there is a column `item` that repeats.
      const isGrouped = source.table.columns.some((own) => isGroup(own, row?.stem, source.table));
      const isOfRow = row === undefined || fn === 'avg' || fn === 'median';
      return isFigureOf(of, fn) && isOfRow && !isGrouped
        ? measured(fn, of, `${aggregateSaid(source, from)} ${of.words}`)
        : undefined;
    },
  ),
];

const isGroup = (own: Column, noun: string | undefined, { rows: count }: Table): boolean =>
  nameOf(own) === noun && own.values.size < count;

/** The money of rows: of a noun for amounts, or of `average fine` and `add up the fines` if the fines have one amount and no other figure. */
function moneyOfRows(
  { table, tokens }: Source,
  { stem, text, isPlural }: Rows,
  { fn, isTotal }: { readonly fn: Measure['fn']; readonly isTotal: boolean },
) {
  const isValue = tokens.some(({ norm }) => norm === 'value');
  const isSum = fn === 'sum' && !isTotal;
  const isFigure = isSum || (/^(?:avg|median)$/.test(fn) && !isPlural);
  const isOne = isFigure && !isValue && amountNouns.has(stem);
  const isMoney = isMoneyNoun(stem) || (isOne && onlyAmount(table) !== undefined);
  return isMoney ? moneyOf(table, text) : undefined;
}

/** `total orders` is a number, `add up the expenses` a sum; `total expenses` has both readings. */
function figureOfRows(
  source: Source,
  all: Rows,
  said: string,
  fn: Measure['fn'],
): Measure | undefined {
  const { text, where, isPlural } = all;
  const money = moneyOfRows(source, all, { fn, isTotal: said.startsWith('total') });
  const isSum = said !== 'total' || !isPlural;
  if (money && isSum) return { ...measured(fn, money, `${said} ${text}`), where };
  if (!said.startsWith('total')) return undefined;
  const price = said === 'total of' ? priceOf(source.table) : undefined;
  const worth = money ?? (price && columnValue(price));
  if (!worth) return isPlural ? rowCount(`total ${text}`, where) : undefined;
  const means = [`number of ${text}`, `sum of ${worth.words}`];
  const problem = `may be their number or a sum. Say "${means.join('" or "')}".`;
  return source.ambiguous(`total ${text}`, problem, { means });
}

/** Maximum number of words before a formula. */
const MAX_EXPLAINED = 6;

/** Words that the sentence explains with a formula: `value of the stock (price times copies)`. */
function explained(source: Source, start: number): Match<Measure> | undefined {
  const { tokens, table } = source;
  const lead = aggregate(source, start);
  if (!table.money || !lead) return undefined;
  const from = source.skipArticles(lead.end);
  let end = from;
  while (tokens[end]?.kind === 'word' && end - from <= MAX_EXPLAINED) end += 1;
  if (end === from || source.wordAt(end) !== '(') return undefined;
  const name = `${aggregateSaid(source, start)} ${source.textOf(from, end)}`;
  return { value: measured(lead.value, table.money, name), end };
}

/** `revenue per hour`, with a column `hours`: the ratio of two sums. `for each stay` would be one of each row. */
const ratio: Reads<Measure> = rule(
  '{of:column} per {column}',
  ({ of, column: per, end }, source) => {
    const lead = source.phraseAt(end, ['for each', 'of each', 'for every', 'of the', 'of our']);
    const isGroup = lead?.value.startsWith('for') && column(source, lead.end);
    const isOfRows = lead && nounEnd(source, lead.end) !== undefined && !isGroup;
    const isRated = /^(?:price|rate|wage|speed|rating|score)$/.test(of.column?.words.at(-1) ?? '');
    const isClear = of.column && isAmount(of.column) && !isRated && per.sql !== of.sql && !isOfRows;
    return isClear && isRate(source, { value: per, end })
      ? { ...measured('ratio', of, `${of.words} per ${per.words}`), per }
      : undefined;
  },
);

/** Reads a calculation: `number of orders`, `sum of Price*Stock`, `average price`, `95th percentile of the duration`. */
export const measure: Reads<Measure> = either(
  ...timesAndMoney,
  ratio,
  worthFigure,
  spanMeasure,
  ...counts,
  ...otherFigures,
  ...ofAggregates,
);

const way = rule('{adjective}', ({ adjective }) =>
  adjective.direction === 'desc' ? ('max' as const) : ('min' as const),
);

const figures = listOf<{ fn: Measure['fn']; said: string }>(
  (source, start) => {
    const at = source.skipArticles(start);
    const found = way(source, at) ?? aggregate(source, at);
    return found && { value: { fn: found.value, said: source.wordAt(at) }, end: found.end };
  },
  [', and', 'and', ',', '/'],
);

/** Reads both ends of a time: `date of the first and of the last harvest`. */
const ends = rule(
  '({column}|when was) [of] the (first|earliest) and [(when was|of)] [the] (last|latest|most recent) {rows}',
  ({ column: own, rows: { where } }, source) => {
    const time = own?.column ?? timeColumn(source, 'first');
    if (!time?.isTime) return undefined;
    const of = columnValue(time);
    return (['min', 'max'] as const).map((fn) => ({
      ...{ ...measured(fn, of, `${fn === 'min' ? 'first' : 'last'} ${of.words}`), where },
    }));
  },
);

/** Reads several calculations with one column: `min, max and average price`, `the lowest and highest price`. */
export const measures: Reads<readonly Measure[]> = (source, start) => {
  const found = figures(source, start);
  const of = found && found.value.length > 1 ? expression(source, found.end) : undefined;
  if (found && of?.value.column?.isNumber)
    return {
      value: found.value.map(({ fn, said }) => measured(fn, of.value, `${said} ${of.value.words}`)),
      end: of.end,
    };
  const both = ends(source, start);
  if (both) return both;
  const one = measure(source, start);
  return one && { value: [one.value], end: one.end };
};

/** Reads a noun for a row, without a condition. */
export const noun: Reads<Rows> = (source, at) => {
  const end = nounEnd(source, at);
  const last = end === undefined ? undefined : source.tokens[end - 1];
  if (end === undefined || !last) return undefined;
  const { stem, norm } = last;
  const text = source.textOf(at, end);
  return { value: { where: [], text, stem, isPlural: norm !== stem, isNoun: true }, end };
};
