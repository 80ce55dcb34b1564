import type { Dimension, TimePart } from '../tables/query.ts';
import type { Column } from '../tables/table.ts';
import { ambiguous, unclear } from './failures.ts';
import { parseColumn } from './find-column.ts';
import { attempt, eat, type Parser, skipArticles } from './parser.ts';

const parts: readonly (readonly [phrases: readonly string[], part: TimePart])[] = [
  [['hour of the day', 'hours of the day', 'hour of day', 'hours of day'], 'hour of day'],
  [['day of the week', 'days of the week', 'day of week', 'weekday', 'weekdays'], 'weekday'],
  [['calendar day', 'calendar days', 'day', 'days', 'date', 'dates'], 'day'],
  [['calendar month', 'calendar months', 'month', 'months'], 'month'],
  [['hour', 'hours'], 'hour'],
  [['minute', 'minutes'], 'minute'],
  [['quarter', 'quarters'], 'quarter'],
  [['week', 'weeks'], 'week'],
  [['year', 'years'], 'year'],
];

/** What rows are grouped by: a column, or a part of the only time. */
export function parseDimension(parser: Parser): Dimension | undefined {
  return attempt(parser, (inner) => {
    skipArticles(inner);
    const start = inner.at;
    const column = parseColumn(inner);
    if (column) {
      return column.type === 'time' ? timeDimension(inner, column, start) : columnDimension(column);
    }
    const part = parseTimePart(inner);
    if (!part) return undefined;
    const { name } = attempt(inner, parseOfTime) ?? timeColumn(inner);
    return { name: part, expression: { kind: 'part', part, column: name } };
  });
}

/** "year of InvoiceDate": the column behind the part. */
function parseOfTime(parser: Parser): Column | undefined {
  if (!eat(parser, 'of')) return undefined;
  skipArticles(parser);
  const column = parseColumn(parser);
  return column?.type === 'time' ? column : undefined;
}

/** "Flight Date" itself, or "Flight Date month". */
function timeDimension(parser: Parser, column: Column, start: number): Dimension {
  const part = parseTimePart(parser);
  if (part) return { name: part, expression: { kind: 'part', part, column: column.name } };
  const word = parser.tokens[start]?.norm;
  const isDay = parser.at === start + 1 && (word === 'date' || word === 'dates');
  if (isDay)
    return { name: column.name, expression: { kind: 'part', part: 'day', column: column.name } };
  return columnDimension(column);
}

const columnDimension = (column: Column): Dimension => ({
  name: column.name,
  expression: { kind: 'column', column: column.name },
});

/** `month`, `hour of day`, … */
export function parseTimePart(parser: Parser): TimePart | undefined {
  const part = parts.find(([phrases]) => eat(parser, ...phrases))?.[1];
  if (part === 'hour of day') eat(parser, '( 0 - 23 )', '( 0 to 23 )', '( 00 - 23 )', '0 - 23');
  return part;
}

/** The only column with times. @throws TaskError `AMBIGUOUS` or `NOT_UNDERSTOOD` where there is not exactly one. */
export function timeColumn(parser: Parser): Column {
  const times = parser.table.columns.filter(({ type }) => type === 'time');
  const [first, second] = times;
  if (first && !second) return first;
  if (!first) throw unclear(`No column of ${parser.table.name} holds dates.`);
  throw ambiguous(`The date may be ${times.map(({ name }) => `"${name}"`).join(' or ')}: name it.`);
}
