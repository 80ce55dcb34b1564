import { singular } from '../../../language/words.ts';
import type { Condition, Value } from '../../sql/query.ts';
import { quoteText } from '../../sql/quote.ts';
import type { Column } from '../../table/schema.ts';
import { isClock } from '../../table/spans.ts';
import { hasHours } from '../columns/dimension.ts';
import { isOneOf, nameOf } from '../columns/names.ts';
import { type Captures, either, type Reads, rule, type Source, single } from '../grammar.ts';
import { agoOf, type Moment, momentOf, partNames } from './moments.ts';
import { isOfYears, timeColumn, timesSaid } from './time-columns.ts';

const operators: readonly (readonly [words: string, op: string])[] = [
  ['on or after|since|starting [in|from]|>=', '>='],
  ['on or before|until|till|through|up to|(by|before|until|till) the end of|by|<=', '<='],
  ['[is|are|was|were] (after|later than|newer than|past)|>', '>'],
  ['[is|are|was|were] (before|earlier than|older than|prior to)|<', '<'],
  ['from', 'from'],
  ['falls in|(is|was|are|were) [in|on]|in|on|during|for|of|within|at|dated|=', '='],
];

/** Conditions on a time: `in March 2024`, `hired before 2019`, `between 10:00 and 12:00`, `in the last 7 days`. */
export const timeCondition: Reads<Condition> = either(
  rule(
    '[{of2:column}] [is] (between|from) {moment} (and|to|until|through|-) {last:moment}',
    ({ of2, moment: low, last }, source) => within(source, of2, low, last),
  ),
  rule(
    '[{of2:column}] (in|during|for|of) {moment} (to|until|through|-) {last:moment}',
    ({ of2, moment: low, last }, source) =>
      source.query.isCompared ? undefined : within(source, of2, low, last),
  ),
  rule(
    '[{of2:column}] [in|within|during|over|of|from|for] [the] (last|past) {number} unit:(days?|weeks?|months?|years?)',
    ({ of2, number: count, unit }, source) => lastDays(source, of2, count, unit.replace(/s$/, '')),
  ),
  ...operators.map(([words, op]) =>
    rule(
      `[{of2:column}] (${words}) [the|a|an] [of] [year|month] {moment} [{bound}]`,
      (found, source): Condition | undefined =>
        !found.of2 && isWeekday(source, found.moment) ? undefined : compared(source, op, found),
    ),
  ),
  rule('[{of2:column}] {moment} [{bound}]', (found, source) =>
    /^(?:today|yesterday|this|current|last|previous)/.test(found.moment.words)
      ? compared(source, '=', found)
      : undefined,
  ),
);

/** Reads a time before a noun: `may` in `the may bookings`. `how may orders` is a typing error. */
export const timeBefore: Reads<Condition> = rule('{moment}', (found, source) =>
  found.moment.format === '%H:%M:%S' || isOneOf(source, found.from - 1, 'how')
    ? undefined
    : compared(source, '=', found),
);

/** Reads another time: `September` in `compare August with September` and `in August and September`. */
export const furtherTime: Reads<Condition> = rule(
  '[and|or|with|to|,] {moment}',
  (found, source) => {
    const { isCompared, where } = source.query;
    const last = where.at(-1)?.part;
    const isRange = [found.from - 1, found.from].some((at) => isOneOf(source, at, 'to|with|-'));
    if (!isCompared && (isRange || last?.part !== 'time')) return undefined;
    const value = compared(source, '=', found);
    return last && value?.part?.sql !== last.sql ? undefined : value;
  },
);

/** The column of a time: the given one, or that of the table. Undefined if it has no times, or no hours although the question names one. */
function timeOf(
  source: Source,
  of: Value | undefined,
  { words, format }: Pick<Moment, 'words' | 'format'>,
): Column | undefined {
  const found = of ? of.column : timeColumn(source, words);
  return found?.isTime && (!format.startsWith('%H') || hasHours(found)) ? found : undefined;
}

/** Compares with a column that has only years or only times of day. Undefined if there is none. */
function comparedAsWritten(
  source: Source,
  op: string,
  of: Value | undefined,
  found: Moment,
): Condition | undefined {
  const own = yearColumn(source, of, found) ?? clockColumn(source, of, found);
  const text = own?.isNumber ? found.text : quoteText(found.text.slice(0, 5));
  return own && { sql: `${own.sql} ${op} ${text}`, words: `${own.name} ${op} ${text}` };
}

/** Whether a column has weekdays as values, so that `Saturday` is one of them and not a part of a date. */
const isWeekday = ({ table }: Source, { format, words }: Moment): boolean =>
  format === '%w' &&
  table.columns.some(({ values }) =>
    [...values].some((text) => singular(text) === singular(words)),
  );

function compared(
  source: Source,
  said: string,
  { of2, moment: found, bound }: Captures,
): Condition | undefined {
  const op = said === '=' || said === 'from' ? (bound ?? '=') : said;
  const written = comparedAsWritten(source, op, of2, found);
  if (written) return written;
  const time = timeOf(source, of2, found);
  if (!time) return undefined;
  const exact = withYear(source, found, { time, isOpen: op !== '=' });
  if (!exact) return undefined;
  if (said === 'from' && op === '=' && exact.format === '%Y-%m-%d') {
    const means = [`on ${found.words}`, `since ${found.words}`];
    const problem = `may mean that day or all days since. Say "${means.join('" or "')}".`;
    return source.ambiguous(`from ${found.words}`, problem, { means });
  }
  const isAt = /^(?:today|yesterday)$/.test(exact.words) ? 'is' : 'is in';
  const words = partNames[exact.format] ?? 'time';
  const part = { sql: exact.of(time.sql), words, part: 'time', column: time };
  return {
    ...(op === '=' && { part }),
    sql: `${exact.of(time.sql)} ${op} ${exact.sql}`,
    words: `${time.name} ${op === '=' ? isAt : op} ${exact.words}`,
    meaning: of2?.meaning,
  };
}

function within(source: Source, of: Value | undefined, first: Moment, last: Moment) {
  const isOfYear = `%Y-${first.format}` === last.format;
  const start = isOfYear ? momentOf(last.format, `${last.text.slice(0, 4)}-${first.text}`) : first;
  const isReversed = /^\d/.test(start.text) && start.text > last.text;
  if (start.format !== last.format || isReversed) return undefined;
  const years = yearColumn(source, of, start);
  if (years)
    return {
      sql: `${years.sql} BETWEEN ${start.text} AND ${last.text}`,
      words: `${years.name} is ${start.text} to ${last.text}`,
    };
  const time = timeOf(source, of, start);
  if (!time) return undefined;
  const isMonth = start.format === '%m' || start.format === '%m-%d';
  const [low, high] = [start, last].map((one) =>
    isMonth ? withYear(source, one, { time, isOpen: true }) : one,
  );
  if (!low || !high) return undefined;
  const words = `${time.name} is ${low.text} to ${high.text}`;
  return { sql: `${low.of(time.sql)} BETWEEN ${low.sql} AND ${high.sql}`, words };
}

function lastDays(source: Source, of: Value | undefined, count: number, unit: string) {
  const time = timeOf(source, of, { words: `last ${count} ${unit}s`, format: '%Y-%m-%d' });
  const today = "date('now', 'localtime'";
  const words = `${time?.name} is in the last ${count} ${unit}s`;
  const start = `${today}, '${agoOf(unit, count)}')`;
  return time && { sql: `date(${time.sql}) BETWEEN ${start} AND ${today})`, words };
}

/** Adds the year to `since November`, if the table has only one. */
function withYear(
  source: Source,
  found: Moment,
  { time, isOpen }: { readonly time: Column; readonly isOpen: boolean },
): Moment | undefined {
  if (found.format === '%w' && isOpen)
    return source.doubt('AMBIGUOUS', `${found.words} is in every week. Give a date.`, {
      said: found.words,
    });
  // A birthday recurs every year.
  const isBirthday = !isOpen && /^(?:born|birth\w*|date of birth|dob)$/.test(nameOf(time));
  if (isBirthday || (found.format !== '%m' && found.format !== '%m-%d')) return found;
  const meant = [...time.values].filter(
    (text) => isOpen || text.slice(5, 5 + found.text.length) === found.text,
  );
  const years = [...new Set(meant.map((text) => text.slice(0, 4)))].sort();
  if (years.length > 1 || (isOpen && !source.table.isWhole)) {
    const means = years.slice(-2).map((year) => `${found.words} ${year}`);
    const message = `${found.words} is in several years. Say "${means.join('" or "')}".`;
    return source.doubt('AMBIGUOUS', message, { said: found.words, means });
  }
  return isOpen ? momentOf(`%Y-${found.format}`, `${years[0]}-${found.text}`) : found;
}

/** The column with years as numbers: the given one, or that of the table if no other time is meant. */
function yearColumn(source: Source, of: Value | undefined, { format, text }: Moment) {
  const { columns, time } = source.table;
  if (format !== '%Y') return undefined;
  const times = columns.filter(({ isTime }) => isTime);
  const isYear = isOfYearOnly(source, text) || timesSaid(source, times).length === 0;
  const found = columns.filter(
    (one) =>
      one.isNumber &&
      (one.words.includes('year') || isOfYears(one)) &&
      (of
        ? of.column === one
        : !/\b(?:born|birth)\b/.test(nameOf(one)) &&
          (times.length === 0 || (isOfYears(one) && isYear))),
  );
  return found.length === 1 && (time ?? found[0]?.name) === found[0]?.name ? found[0] : undefined;
}

/** The column of times of day such as `19:30`: the given one, the one that the sentence names, or with a verb of starting that of the start. */
function clockColumn(source: Source, of: Value | undefined, { format, text }: Moment) {
  if (!format.startsWith('%H') || !/^\d\d:\d\d(?::00)?$/.test(text)) return undefined;
  const all = (of?.column ? [of.column] : source.table.columns).filter(isClock);
  const said = timesSaid(source, all);
  const isStart = source.tokens.some(({ stem }) =>
    /^(?:start|begin|open|depart|leave)$/.test(stem),
  );
  const starts = all.filter((own) =>
    /^(?:start|start time|from|departure|time)$/.test(nameOf(own)),
  );
  return single(all) ?? single(said) ?? (said.length === 0 && isStart ? single(starts) : undefined);
}

/** Whether a year is a period, not the time of an event: `the fee for 2026`, `not paid in 2026`. */
const isOfYearOnly = ({ tokens }: Source, year: string): boolean =>
  tokens.some(
    ({ norm }, at) =>
      (/^(?:for|of)$/.test(norm) && tokens[at + 1]?.text === year) ||
      /n't$|^(?:not|never|still|unpaid|outstanding)$/.test(norm),
  );
