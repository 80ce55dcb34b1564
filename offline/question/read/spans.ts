import { columnValue, type Measure, measured, type Value } from '../sql/query.ts';
import type { Column, Table } from '../table/schema.ts';
import type { Span } from '../table/spans.ts';
import { unitOf } from './amounts.ts';
import { either, type Reads, rule, type Source } from './grammar.ts';
import { column, nameOf } from './names.ts';
import { isVerbOf } from './time-columns.ts';

const perDay = { minute: 1440, hour: 24, day: 1, week: 1 / 7 } as const;

export type SpanUnit = keyof typeof perDay;

/** The time between two columns, in a unit. */
function spanValue({ columns }: Table, { from, to, unit: own }: Span, unit: SpanUnit = own) {
  const sqlOf = (name: string) => columns.find((one) => one.name === name)?.sql ?? '';
  const days = `(julianday(${sqlOf(to)}) - julianday(${sqlOf(from)}))`;
  const scale = unit === 'week' ? ' / 7' : perDay[unit] === 1 ? '' : ` * ${perDay[unit]}`;
  const words = `${unit}s from ${from} to ${to}`;
  const column: Column | undefined = columns.find((one) => one.name === to);
  if (!column) return undefined;
  const sql = `round(${days}${scale}, 4)`;
  const made = { name: words, sql, sqlIn: () => sql, shown: undefined, words: [unit] };
  const kind = { isNumber: true, isTime: false, truth: undefined, values: new Set<string>() };
  return { sql, words, column: { ...column, ...made, ...kind } };
}

/** A column of minutes in hours. */
function scaled(own: Column, unit: SpanUnit): Value {
  const scale = ((unitOf(own)?.[1] ?? 1) * perDay[unit]) / 86_400;
  const words = `${unit}s of ${own.name}`;
  const sql =
    scale < 1 ? `${own.sql} / ${Number((1 / scale).toPrecision(9))}.0` : `${own.sql} * ${scale}`;
  return { sql, words, column: { ...own, name: words, sql, sqlIn: () => sql } };
}

/** The one span that a sentence is about: of the times that it names, else the only one. */
export function spanIn({ table, tokens, query }: Source, unit?: SpanUnit): Value | undefined {
  const isSaid = (name: string) => {
    const own = table.columns.find((one) => one.name === name);
    return (
      own !== undefined &&
      tokens.some((token) => token.norm === nameOf(own) || isVerbOf(own.words[0] ?? '', token))
    );
  };
  const { spans } = table;
  const timed = table.columns.filter((own) => own.isNumber && unitOf(own)?.[0] === 'time');
  const [only, ...others] = spans.length === 0 ? timed : [];
  if (only && others.length === 0) return unit ? scaled(only, unit) : columnValue(only);
  const both = spans.filter(({ from, to }) => isSaid(from) && isSaid(to));
  const end = spans.filter(({ to }) => isSaid(to));
  const found = [both, end, spans].find(({ length }) => length > 0) ?? [];
  const [span] = found;
  const value = span && found.length === 1 ? spanValue(table, span, unit) : undefined;
  query.hasSpan ||= value !== undefined;
  return value;
}

/** `time`, `hours` of something between two times, if no column has that name. */
export const spanTerm: Reads<Value> = rule(
  '(time|duration|length|turnaround time|unit:(minutes?|hours?|days?|weeks?)) [taken|needed]',
  ({ unit }, source) => spanIn(source, unit?.replace(/s$/, '') as SpanUnit | undefined),
);

/** `how many days`, `how long`: the mean or the total, if one is asked for. */
export const spanMeasure: Reads<Measure> = rule(
  '(how long|how many [{start}] unit:(minutes?|hours?|days?|weeks?)) [did|does|do|is|was]',
  ({ unit, from }, source) => {
    const said = (pattern: RegExp) => source.tokens.some(({ norm }) => pattern.test(norm));
    const isOfColumn = source.table.spans.length === 0 && /^(?:minute|hour)/.test(unit ?? '');
    const fn = said(/^(?:average|mean)$/)
      ? 'avg'
      : said(/^(?:total|altogether|together)$/) || isOfColumn
        ? 'sum'
        : undefined;
    const isColumn = unit !== undefined && column(source, from + 2) !== undefined;
    const of =
      fn && !isColumn ? spanIn(source, unit?.replace(/s$/, '') as SpanUnit | undefined) : undefined;
    return of && fn && measured(fn, of, `${fn === 'avg' ? 'average' : 'total'} ${of.words}`);
  },
);

const spanned = either<true>(
  rule(
    '(from|between) [the] {column} (to|and|until) [the] {of2:column}',
    ({ column: from, of2 }, { table }) =>
      table.spans.some((one) => one.from === from.words && one.to === of2?.words)
        ? true
        : undefined,
  ),
  rule('after [the|being] {column}', ({ column: from }, { table }) =>
    table.spans.some((one) => one.from === from.words) ? true : undefined,
  ),
  rule('[to] [be|get] {text}', ({ text }, source) => {
    const { table } = source;
    const isEnd = table.spans.some(({ to }) =>
      table.columns.some((one) => one.name === to && isVerbOf(one.words[0] ?? '', text)),
    );
    return isEnd && spanIn(source) ? true : undefined;
  }),
);

/** `from shipped to delivered`, `to close`: the times of a span that was asked for. */
export const spanWords: Reads<true> = (source, at) =>
  source.query.hasSpan ? spanned(source, at) : undefined;
