import { type Unit, units } from '../../../language/lexicon.ts';
import { nameWords, singular } from '../../../language/words.ts';
import { columnValue, type Measure, measured, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import type { Span } from '../../table/spans.ts';
import { hasHours } from '../columns/dimension.ts';
import { column, nameOf } from '../columns/names.ts';
import { either, type Reads, rule, type Source, single } from '../grammar.ts';
import { ofKind, unitOf } from '../values/amounts.ts';
import { totalWords } from '../words.ts';
import { isVerbOf } from './time-columns.ts';

/** The size of a unit in a smaller one: 1440 minutes a day. */
const perUnit = (unit: string, of: Unit = ['time', 86_400]): number =>
  of[1] / (units.get(unit)?.[1] ?? 1);

const rounded = (factor: number): number => Number(factor.toPrecision(9));

const unitNames =
  'minutes?|hours?|days?|nights?|weeks?|kb|mb|gb|kilobytes?|megabytes?|gigabytes?|kg|kilos?|pounds?|km|kilometres?|kilometers?|miles?';

/** The time between two columns, in a unit. */
function spanValue({ columns }: Table, { from, to, unit: own }: Span, unit: string = own) {
  const sqlOf = (name: string) => columns.find((one) => one.name === name)?.sql ?? '';
  const days = `(julianday(${sqlOf(to)}) - julianday(${sqlOf(from)}))`;
  const scale = unit === 'week' ? ' / 7' : unit === 'day' ? '' : ` * ${rounded(perUnit(unit))}`;
  const words = `${unit}s from ${from} to ${to}`;
  const column: Column | undefined = columns.find((one) => one.name === to);
  // Dates alone have no minutes.
  if (!column || (/^(?:second|minute|hour)$/.test(unit) && !hasHours(column))) return undefined;
  const sql = `round(${days}${scale}, 4)`;
  const made = { name: words, sql, sqlIn: () => sql, shown: undefined, words: [unit] };
  const kind = { isNumber: true, isTime: false, truth: undefined, values: new Set<string>() };
  return { sql, words, column: { ...column, ...made, ...kind } };
}

/** A column in another unit: minutes in hours. */
export function scaled(own: Column, unit: string): Value {
  const scale = perUnit(unit, unitOf(own));
  const words = `${unit.replace(/(?<=\w{3})$/, 's')} of ${own.name}`;
  const [op, by] = scale < 1 ? ['/', rounded(1 / scale)] : ['*', rounded(scale)];
  const sql = `${own.sql} ${op} ${by}${Number.isInteger(by) && op === '/' ? '.0' : ''}`;
  return { sql, words, column: { ...own, name: words, sql, sqlIn: () => sql, unit: undefined } };
}

/** The span between two times that a sentence names, or the only span of the table. */
export function spanIn({ table, tokens, query }: Source, unit?: string): Value | undefined {
  const isSaid = (name: string) => {
    const own = table.columns.find((one) => one.name === name);
    return (
      own !== undefined &&
      tokens.some((token) => token.norm === nameOf(own) || isVerbOf(own.words[0] ?? '', token))
    );
  };
  const [kind] = units.get(unit ?? 'day') ?? ['time'];
  const spans = kind === 'time' ? table.spans : [];
  const only = spans.length === 0 ? single(ofKind(table, kind)) : undefined;
  if (only) return unit ? scaled(only, unit) : columnValue(only);
  const both = spans.filter(({ from, to }) => isSaid(from) && isSaid(to));
  const end = spans.filter(({ to }) => isSaid(to));
  const found = [both, end, spans].find(({ length }) => length > 0) ?? [];
  const span = single(found);
  const value = span && spanValue(table, span, unit);
  query.hasSpan ||= value !== undefined;
  return value;
}

/** Reads words for the span between two times, unless a column has this name: `time`, `hours`, `delivery time`. */
export const spanTerm: Reads<Value> = either(
  rule(
    '(time|duration|length|turnaround time|unit:(minutes?|hours?|days?|nights?|weeks?)) [taken|needed]',
    ({ unit }, source) => spanIn(source, unit && singular(unit)),
  ),
  rule('{text} (time|duration|period)', ({ text: { stem } }, source) => {
    const isOwn = endsWith(stem, source.table) || source.table.nouns.has(stem);
    return isOwn ? spanIn(source) : undefined;
  }),
);

/** Whether a noun is about the end of a span: `delivery` for `delivered`. */
export const endsWith = (noun: string, { spans }: Table): boolean =>
  noun.length > 4 && spans.some(({ to }) => to.startsWith(noun.slice(0, 5)));

/** Whether a column in this unit is summed: `how many hours`, `how many GB`. */
const isAdded = (unit: string, { spans }: Table): boolean =>
  units.get(singular(unit))?.[0] !== 'time' ||
  (spans.length === 0 && /^(?:minute|hour)/.test(unit));

/** Reads `how many days` or `how long` as a mean or a total, if the question asks for one. */
export const spanMeasure: Reads<Measure> = rule(
  `(how long|how many [{start}] unit:(${unitNames})) [did|does|do|is|was|lie|lies|lay|pass|passed|are there] [[the|an] average {noun}]`,
  ({ unit, from }, source) => {
    const said = (pattern: RegExp) => source.tokens.some(({ norm }) => pattern.test(norm));
    const isOfColumn = unit !== undefined && isAdded(unit, source.table);
    const fn = said(/^(?:average|mean)$/)
      ? 'avg'
      : said(totalWords) || isOfColumn
        ? 'sum'
        : undefined;
    const isColumn = unit !== undefined && column(source, from + 2) !== undefined;
    const of = fn && !isColumn ? spanIn(source, unit && singular(unit)) : undefined;
    return of && fn && measured(fn, of, `${fn === 'avg' ? 'average' : 'total'} ${of.words}`);
  },
);

const spanned = either<true>(
  rule(
    '(from|between) [the] ({column}|{text}) [of [a|an|the|our] {noun}] (to|and|until|till) [the|its|it is|it was|they are|they were] {of2:column}',
    ({ column: from, text, of2 }, { table }) =>
      table.spans.some(
        (one) =>
          one.to === of2?.words &&
          (from ? one.from === from.words : isVerbOf(nameWords(one.from)[0] ?? '', text)),
      )
        ? true
        : undefined,
  ),
  rule('[to] [be|get] {text}', ({ text }, source) => {
    const { table } = source;
    const isEnd = table.spans.some(({ to }) =>
      table.columns.some((one) => one.name === to && isVerbOf(one.words[0] ?? '', text)),
    );
    return isEnd && spanIn(source) ? true : undefined;
  }),
  // `how many days until a complaint is closed`, `how many days do members keep a tool`
  rule(
    '(until|till|before) [a|an|the|our] {noun} (is|was|gets|got|has been) {column}',
    ({ column: end }, { table }) => table.spans.some(({ to }) => to === end.words) || undefined,
  ),
  rule(
    '[do|does|did] {text} (keep|wait|borrow) [for] [[a|an|the|our|each] ({noun}|{column})]',
    ({ text }, { table: { spans, columns } }) => {
      const isValue = columns.some(({ values }) => values.has(text.stem) || values.has(text.norm));
      return (
        (/^(?:we|they|people|[a-z]+s)$/.test(text.text) && !isValue && spans.length === 1) ||
        undefined
      );
    },
  ),
);

/** Reads the times of a span that the question asks for: `from shipped to delivered`, `to close`. */
export const spanWords: Reads<true> = (source, at) =>
  source.query.hasSpan ? spanned(source, at) : undefined;
