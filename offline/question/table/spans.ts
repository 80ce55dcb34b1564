import type { Column } from './schema.ts';

/** Two columns of time, of which the second is never before the first. */
export interface Span {
  readonly from: string;
  readonly to: string;
  /** The unit that gives small numbers for most rows. */
  readonly unit: 'minute' | 'hour' | 'day';
}

const hours = (from: string, to: string) => (msOf(to) - msOf(from)) / 3_600_000;

const clock = /^[0-2]\d:[0-5]\d$/;

const msOf = (text: string) => Date.parse(clock.test(text) ? `2000-01-01T${text}Z` : text);

/** Whether a column has only times of day such as `19:30`. */
export const isClock = ({ values }: Pick<Column, 'values'>): boolean =>
  values.size > 0 && [...values].every((value) => clock.test(value));

/** Whether two columns are the start and the end of something within a day. `00:45` may also be a duration. */
const isOfDay = (from: Column, to: Column): boolean =>
  isClock(from) &&
  isClock(to) &&
  /^(?:start|begin|from|depart|open|in\b)/.test(from.words.join(' ')) &&
  /^(?:end|to\b|until|arriv|clos|finish|out\b)/.test(to.words.join(' '));

/** Whether a column has durations such as `00:45`. They, and not the time between two other columns, say how long a row took. */
const isDuration = (own: Column): boolean =>
  isClock(own) && /\b(?:duration|length|elapsed|runtime|took)\b/.test(own.words.join(' '));

const MAX_TIMES = 5;

/** The spans between columns of time in the first rows. None if another column has the durations. */
export function spansOf(
  columns: readonly Column[],
  cellsOf: (column: Column) => readonly string[],
): readonly Span[] {
  if (columns.some(isDuration)) return [];
  const times = columns.filter((own) => own.isTime || isClock(own)).slice(0, MAX_TIMES);
  return times.flatMap((from) =>
    times.flatMap((to) => {
      const isPair = isClock(from) || isClock(to) ? isOfDay(from, to) : from !== to;
      const unit = isPair ? unitOf(cellsOf(from), cellsOf(to)) : undefined;
      return unit ? [{ from: from.name, to: to.name, unit }] : [];
    }),
  );
}

/** The unit of the time between starts and ends. Undefined if an end is before its start. */
function unitOf(starts: readonly string[], ends: readonly string[]): Span['unit'] | undefined {
  const both = starts.map((start, at) => [start, ends[at] ?? '']);
  const filled = both.filter((pair) => pair.every((cell) => cell !== ''));
  const lengths = filled.map(([start = '', end = '']) => hours(start, end)).sort((a, b) => a - b);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? 0;
  if (lengths[0] === undefined || !(lengths[0] >= 0)) return undefined;
  const isOfDays = filled.flat().every((cell) => cell.length === 10);
  return isOfDays || middle >= 72 ? 'day' : middle >= 3 ? 'hour' : 'minute';
}
