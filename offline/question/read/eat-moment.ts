import { months } from '../../language/lexicon.ts';
import { quoteText } from '../table/schema.ts';
import { attempt, eat, eatNumber, peek, type Reader, skip } from './reader.ts';

/** A year, month, day, hour, … of the table's time. */
export interface Moment {
  /** The compared part of a time, in the format of strftime: `%Y-%m`. */
  readonly format: string;
  /** The value to compare with, as SQL. */
  readonly sql: string;
  readonly text: string;
  readonly words: string;
  readonly of: (column: string) => string;
}

export const moment = (format: string, text: string, words = text): Moment => ({
  ...{ format, text, words, sql: quoteText(text) },
  of: (column) => (format === '%Y-%m-%d' ? `date(${column})` : `strftime('${format}', ${column})`),
});

/** `March`, `2024-03`, `Q1 2026`, `10:00`, `yesterday` */
export function eatMoment(reader: Reader): Moment | undefined {
  const found = attempt(reader, relative) ?? attempt(reader, clock) ?? attempt(reader, quarter);
  if (found) return found;
  const token = peek(reader);
  if (token === undefined) return undefined;
  const isYear = token.kind === 'number' && isYearText(token.text);
  const month = monthOf(token.kind === 'word' ? token.norm : '');
  const day = weekdays.indexOf(token.stem);
  if (token.kind !== 'date' && !isYear && month < 0 && day < 0) return undefined;
  reader.at += 1;
  if (token.kind === 'date')
    return moment(token.norm.length === 7 ? '%Y-%m' : '%Y-%m-%d', token.norm);
  if (isYear) return moment('%Y', token.text);
  return day >= 0
    ? moment('%w', String(day), token.text)
    : moment('%m', String(month + 1).padStart(2, '0'), token.text);
}

const isYearText = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const monthNames = new Set(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);

const monthOf = (word: string): number =>
  monthNames.has(word) ? months.findIndex((name) => word.startsWith(name)) : -1;

/** `Q1 2026`, `the first quarter of 2026` */
function quarter(reader: Reader): Moment | undefined {
  skip(reader, ['the']);
  const [, short] = /^q([1-4])$/.exec(peek(reader)?.norm ?? '') ?? [];
  const at = short === undefined ? ordinals.indexOf(peek(reader)?.norm ?? '') : Number(short) - 1;
  if (at < 0) return undefined;
  reader.at += 1;
  if (short === undefined && !eat(reader, ['quarter'])) return undefined;
  skip(reader, ['of', 'in']);
  const year = peek(reader);
  if (year?.kind !== 'number' || !isYearText(year.text)) return undefined;
  reader.at += 1;
  const text = `${year.text}-Q${at + 1}`;
  const of = (column: string) =>
    `strftime('%Y', ${column}) || '-Q' || ((strftime('%m', ${column}) + 2) / 3)`;
  return { ...moment('%Y-Q', text), of };
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** `10:00`, `10:00:30`, `3 pm` */
function clock(reader: Reader): Moment | undefined {
  const hour = peek(reader);
  if (hour?.kind !== 'number' || !/^\d\d?$/.test(hour.text) || Number(hour.text) > 24)
    return undefined;
  reader.at += 1;
  const minutes = sixtieths(reader);
  const seconds = minutes && sixtieths(reader);
  const half = eat(reader, ['am', 'pm']);
  if (minutes === undefined && half === undefined) return undefined;
  const hours =
    half === undefined ? hour.text : (Number(hour.text) % 12) + (half === 'pm' ? 12 : 0);
  return moment(
    '%H:%M:%S',
    `${String(hours).padStart(2, '0')}:${minutes ?? '00'}:${seconds ?? '00'}`,
  );
}

/** `:30` */
function sixtieths(reader: Reader): string | undefined {
  const text = peek(reader, 1)?.text ?? '';
  if (peek(reader)?.norm !== ':' || !/^[0-5]\d$/.test(text)) return undefined;
  reader.at += 2;
  return text;
}

const units = ['day', 'week', 'month', 'year'] as const;
type Unit = (typeof units)[number];

const formats: Readonly<Record<Unit, string>> = {
  day: '%Y-%m-%d',
  week: '%Y-W%W',
  month: '%Y-%m',
  year: '%Y',
};

/** `today`, `yesterday`, `this month`, `last year`. */
function relative(reader: Reader): Moment | undefined {
  const day = eat(reader, ['today', 'yesterday']);
  if (day !== undefined) return fromNow('day', day === 'today' ? 0 : 1, day);
  skip(reader, ['the']);
  const which = eat(reader, ['this', 'current', 'last', 'previous']);
  const unit = units.find((one) => peek(reader)?.norm === one);
  if (which === undefined || unit === undefined || unit === 'day') return undefined;
  reader.at += 1;
  return fromNow(unit, which === 'this' || which === 'current' ? 0 : 1, `${which} ${unit}`);
}

/** A unit of time, so many of them ago, by the clock of the machine. */
function fromNow(unit: Unit, ago: number, words: string): Moment {
  const step = unit === 'week' ? `-${7 * ago} days` : `-${ago} ${unit}s`;
  const start = unit === 'month' || unit === 'year' ? [`'start of ${unit}'`] : [];
  const changes = ["'localtime'", ...(ago === 0 ? [] : [...start, `'${step}'`])].join(', ');
  const sql =
    unit === 'day' ? `date('now', ${changes})` : `strftime('${formats[unit]}', 'now', ${changes})`;
  return { ...moment(formats[unit], words), sql };
}

/** `in the last 7 days`, `past two weeks`: the first day of them, as SQL. */
export function eatLastDays(reader: Reader): { sql: string; words: string } | undefined {
  skip(reader, ['in', 'within', 'during', 'over', 'of', 'from', 'for', 'the']);
  if (!eat(reader, ['last', 'past'])) return undefined;
  const count = eatNumber(reader);
  const unit = units.find((one) => peek(reader)?.stem === one);
  if (count === undefined || unit === undefined) return undefined;
  reader.at += 1;
  const step = unit === 'week' ? `-${7 * count} days` : `-${count} ${unit}s`;
  return { sql: `date('now', 'localtime', '${step}')`, words: `last ${count} ${unit}s` };
}
