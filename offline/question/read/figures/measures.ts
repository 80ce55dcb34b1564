import { unitWords } from '../../../language/lexicon.ts';
import type { Measure, Value } from '../../sql/query.ts';
import { columnValue, measured } from '../../sql/query.ts';
import { type Column, isAmount, type Table } from '../../table/schema.ts';
import { column, nameOf } from '../columns/names.ts';
import {
  ambiguous,
  either,
  isAtEnd,
  listOf,
  looseRule,
  phraseAt,
  type Reads,
  rule,
  type Source,
  single,
  skipArticles,
  textOf,
  wordAt,
} from '../grammar.ts';
import { nounEnd, type Rows } from '../rows/rows.ts';
import { spanMeasure } from '../times/spans.ts';
import { timeColumn } from '../times/time-columns.ts';
import { aggregates } from '../words.ts';
import { counts, rowCount, shares } from './counts.ts';
import { calculated, expression, worth } from './expressions.ts';
import { adding, isMoneyNoun, isRate, moneyOf, priceOf } from './money.ts';
import { timesAndMoney } from './money-measures.ts';
import { direction } from './superlatives.ts';

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
    const isSaid = phraseAt(source, from + 1, ['percentile', 'percent quantile']) !== undefined;
    const given = glued === undefined ? (isSaid ? text.value : undefined) : Number(glued);
    if (given === undefined || given <= 0 || given >= 100) return undefined;
    const name = glued === undefined ? `p${given} ${of.words}` : textOf(source, from, end);
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
    if (!isAtEnd(source, end) && !/^(?:per|by|for|each|in)$/.test(wordAt(source, end)))
      return undefined;
    const of = moneyOf(source.table, 'total') ?? onlyAmount(source.table);
    const where = kind ? [kind] : [];
    return of && { ...measured('sum', of, textOf(source, from, end)), where };
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
  return found && { ...found, value: measured('sum', found.value, textOf(source, at, found.end)) };
};

const isUnit = new RegExp(`^(?:${unitWords})$`);

const skipped = '[the|a|of|all|up|my|our|their|its|value|values|in|each]';

/** Reads an aggregate: `sum of amount`, `average price`, `total orders`, `total refunded`. */
const aggregate: Reads<Measure> = (source, at) => {
  for (const [words, fn] of aggregates) {
    const lead = phraseAt(source, at, words.split('|'));
    if (!lead) continue;
    const said = lead.value === 'total of' ? lead.value : (source.tokens[at]?.norm ?? fn);
    const found = ofAggregate(fn, said)(source, lead.end);
    // A column with such a name stays a column.
    if (found) return found;
  }
  return undefined;
};

const ofAggregate = (fn: Measure['fn'], said: string): Reads<Measure> => {
  const isMean = fn === 'avg' || fn === 'median';
  return either(
    rule(`${skipped} ${skipped} [number of|count of] {rows}`, ({ rows: all, end }, source) =>
      column(source, end)
        ? undefined
        : (fn === 'sum' ? totalOfRows : figureOfRows)(source, all, said, fn),
    ),
    rule(`${skipped} ${skipped} {value}`, ({ value: kind, from, end }, source) => {
      if (!isAtEnd(source, end) && !/^(?:per|by|for|in|of|each)$/.test(wordAt(source, end)))
        return undefined;
      const text = textOf(source, skipArticles(source, from), end);
      const of = moneyOf(source.table, text);
      return of && { ...measured(fn, of, `${said} ${text}`), where: [kind] };
    }),
    explained(fn, said),
    rule(`${skipped} ${skipped} {rows} in {of:column}`, ({ of, rows: { where } }) =>
      of.column && isUnit.test(nameOf(of.column)) && isAmount(of.column)
        ? { ...measured(fn, of, `${said} ${of.words}`), where }
        : undefined,
    ),
    rule(
      `${skipped} ${skipped} [number of|amount of] {of:expression}${isMean ? ' [per {noun}]' : ''}`,
      ({ of, noun: row }, { table }) =>
        // `average amount per item` groups if there is a column `item` that repeats.
        isFigureOf(of, fn) && !table.columns.some((own) => isGroup(own, row?.stem, table))
          ? measured(fn, of, `${said} ${of.words}`)
          : undefined,
    ),
  );
};

const isGroup = (own: Column, noun: string | undefined, { rows: count }: Table): boolean =>
  nameOf(own) === noun && own.values.size < count;

/** `total orders` is a number, `add up the expenses` a sum; `total expenses` has both readings. */
function totalOfRows(source: Source, all: Rows, said: string): Measure | undefined {
  const money = isMoneyNoun(all.stem) ? moneyOf(source.table, all.text) : undefined;
  const isSum = said !== 'total' || !all.isPlural;
  if (money && isSum) return { ...measured('sum', money, `${said} ${all.text}`), where: all.where };
  if (!said.startsWith('total')) return undefined;
  const price = said === 'total of' ? priceOf(source.table) : undefined;
  const worth = money ?? (price && columnValue(price));
  if (worth) {
    const means = [`number of ${all.text}`, `sum of ${worth.words}`];
    const problem = `may be their number or a sum. Say "${means.join('" or "')}".`;
    return ambiguous(source, `total ${all.text}`, problem, { means });
  }
  return all.isPlural ? rowCount(`total ${all.text}`, all.where) : undefined;
}

/** A calculation with the money of the rows: `average expense`. */
function figureOfRows(
  { table }: Source,
  { stem, text, where }: Rows,
  said: string,
  fn: Measure['fn'],
): Measure | undefined {
  const money = isMoneyNoun(stem) ? moneyOf(table, text) : undefined;
  return money && { ...measured(fn, money, `${said} ${text}`), where };
}

/** Maximum number of words before a formula. */
const MAX_EXPLAINED = 6;

/** Words that the sentence explains with a formula: `value of the stock (price times copies)`. */
const explained =
  (fn: Measure['fn'], said: string): Reads<Measure> =>
  (source, start) => {
    const { tokens, table } = source;
    const from = skipArticles(source, start);
    let end = from;
    while (tokens[end]?.kind === 'word' && end - from <= MAX_EXPLAINED) end += 1;
    if (!table.money || end === from || tokens[end]?.norm !== '(') return undefined;
    return { value: measured(fn, table.money, `${said} ${textOf(source, from, end)}`), end };
  };

/** `revenue per hour`, with a column `hours`: the ratio of two sums. `for each stay` would be one of each row. */
const ratio: Reads<Measure> = rule(
  '{of:column} per {column}',
  ({ of, column: per, end }, source) => {
    const lead = phraseAt(source, end, ['for each', 'of each', 'for every', 'of the', 'of our']);
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
  aggregate,
);

const figure: Reads<{ fn: Measure['fn']; said: string }> = either(
  (source, at) => {
    const { value: way, end = at } = direction(source, at) ?? {};
    const fn = way?.direction === 'desc' ? 'max' : 'min';
    return way && { value: { fn, said: wordAt(source, at) }, end };
  },
  ...aggregates.map(([words, fn]) =>
    rule(`(${words})`, ({ from }, source) => ({ fn, said: wordAt(source, from) })),
  ),
);

const figures = listOf(
  (source, at) => figure(source, skipArticles(source, at)),
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
  const text = textOf(source, at, end);
  return { value: { where: [], text, stem, isPlural: norm !== stem, isNoun: true }, end };
};
