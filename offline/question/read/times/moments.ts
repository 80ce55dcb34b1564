import { monthPattern, type Token } from '../../../language/lexer.ts';
import { months, quarterOf, weekdays } from '../../../language/lexicon.ts';
import { quoteText } from '../../sql/quote.ts';
import { either, type Reads, rule } from '../grammar.ts';

/** A point or part of time to compare with: a year, month, day, hour, … */
export interface Moment {
  /** The compared part of a time, in the format of strftime: `%Y-%m`. */
  readonly format: string;
  /** The value to compare with, as SQL. */
  readonly sql: string;
  readonly text: string;
  readonly words: string;
  readonly of: (column: string) => string;
}

/** A moment for a strftime format and its value. */
export const momentOf = (format: string, text: string, words = text): Moment => ({
  ...{ format, text, words, sql: quoteText(text) },
  of: (own) => (format === '%Y-%m-%d' ? `date(${own})` : `strftime('${format}', ${own})`),
});

const monthName = new RegExp(`^(?:${monthPattern})$`);

const isYear = (text: string): boolean => /^(?:1[5-9]|20)\d\d$/.test(text);

/** Reads `2024`, `2024-03`, `March`, `Monday`. */
const named: Reads<Moment> = ({ tokens }, at) => {
  const value = tokens[at] && momentOfToken(tokens[at]);
  return value && { value, end: at + 1 };
};

function momentOfToken({ kind, text, norm, stem }: Token): Moment | undefined {
  if (kind === 'date') return momentOf(norm.length === 7 ? '%Y-%m' : '%Y-%m-%d', norm);
  if (kind === 'number' && isYear(text)) return momentOf('%Y', text);
  if (kind !== 'word') return undefined;
  const day = weekdays.indexOf(stem);
  if (day >= 0) return momentOf('%w', String(day), text);
  const month = monthOf(norm);
  return month === undefined ? undefined : momentOf('%m', month, text);
}

/** The number of a month with two digits. */
const monthOf = (word: string): string | undefined =>
  monthName.test(word) ? String(months.indexOf(word.slice(0, 3)) + 1).padStart(2, '0') : undefined;

const quarters: ReadonlyMap<string, number> = new Map([
  ...['first', 'second', 'third', 'fourth'].map((word, at) => [`${word} quarter`, at + 1] as const),
  ...[1, 2, 3, 4].map((nth) => [`q${nth}`, nth] as const),
]);

const quarter = rule(
  '[the] word:(q1|q2|q3|q4|first quarter|second quarter|third quarter|fourth quarter) [of|in] {text}',
  ({ word, text: { text } }): Moment | undefined =>
    isYear(text)
      ? { ...momentOf('%Y-Q', `${text}-Q${quarters.get(word)}`), of: quarterOf }
      : undefined,
);

/** Reads a time of day: `10:00`, `10:00:30`, `3 pm`. */
const clock: Reads<Moment> = (source, at) => {
  const found = /^(\d\d?)(?: : ([0-5]\d)(?: : ([0-5]\d))?)?(?: (am|pm))?(?= |$)/i.exec(
    source.textOf(at, at + 6),
  );
  const [all = '', hour = '', minute, second = '00', half] = found ?? [];
  if (!found || Number(hour) > 24 || (minute ?? half) === undefined) return undefined;
  const after = /pm/i.test(half ?? '') ? 12 : 0;
  const hours = half ? String((Number(hour) % 12) + after) : hour;
  const time = `${hours.padStart(2, '0')}:${minute ?? '00'}:${second}`;
  return { value: momentOf('%H:%M:%S', time), end: at + all.split(' ').length };
};

/** Names of the parts of a time, by format. */
export const partNames: Readonly<Record<string, string>> = {
  ...{ '%m': 'month', '%Y-%m': 'month', '%Y': 'year', '%Y-%m-%d': 'day', '%w': 'weekday' },
};

const formats: Readonly<Record<string, string>> = {
  ...{ day: '%Y-%m-%d', week: '%Y-W%W', month: '%Y-%m', year: '%Y' },
};

/** SQLite's modifier for a time before now. */
export const agoOf = (unit: string, count: number): string =>
  unit === 'week' ? `-${7 * count} days` : `-${count} ${unit}s`;

/** The unit of time that was `ago` units before now, by the local clock. */
function fromNow(unit: string, ago: number, words: string): Moment {
  const start = unit === 'month' || unit === 'year' ? [`'start of ${unit}'`] : [];
  const changes = ["'localtime'", ...(ago === 0 ? [] : [...start, `'${agoOf(unit, ago)}'`])].join(
    ', ',
  );
  const format = formats[unit] ?? '';
  const sql =
    unit === 'day' ? `date('now', ${changes})` : `strftime('${format}', 'now', ${changes})`;
  return { ...momentOf(format, words), sql };
}

/** Reads a day without a year: `April 10th`, `10 April`, `the 10th of April`. */
const dayOfMonth: Reads<Moment> = (source, at) => {
  const said = source.normOf(at, at + 4);
  const found =
    /^(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3,})(?= |$)/.exec(said) ??
    /^([a-z]{3,}) (\d{1,2})(?:st|nd|rd|th)?(?= |$)/.exec(said);
  if (!found) return undefined;
  const [all, one = '', other = ''] = found;
  const [name, day] = /^\d/.test(one) ? [other, one] : [one, other];
  const month = monthOf(name);
  if (!month || Number(day) > 31) return undefined;
  const text = `${month}-${day.padStart(2, '0')}`;
  return { value: momentOf('%m-%d', text, all.trim()), end: at + all.trim().split(' ').length };
};

/** Reads a moment: `March`, `2024-03`, `Q1 2026`, `10:00`, `yesterday`, `last year`. */
export const moment: Reads<Moment> = either(
  rule('word:(today|yesterday)', ({ word }) => fromNow('day', word === 'today' ? 0 : 1, word)),
  rule(
    '[the] word:(this|current|last|previous) unit:(week|month|year)',
    ({ word, unit, end }, { tokens }) =>
      // `the last week of May` is not that before this one.
      tokens[end]?.norm === 'of'
        ? undefined
        : fromNow(unit, /^(?:this|current)$/.test(word) ? 0 : 1, `${word} ${unit}`),
  ),
  (source, at) => {
    // `2026-03-02 09:00`
    const [day, time] = [named(source, at), clock(source, at + 1)];
    if (day?.value.format !== '%Y-%m-%d' || !time) return undefined;
    const text = `${day.value.text} ${time.value.text}`;
    return { value: momentOf('%Y-%m-%d %H:%M:%S', text), end: time.end };
  },
  clock,
  quarter,
  dayOfMonth,
  named,
);

/** Reads an open end after a moment: `or later`, `on` (as in `from May on`), `or earlier`. */
export const bound: Reads<'>=' | '<='> = either(
  rule('(or later|or after|or newer|and later|onwards|onward)', () => '>=' as const),
  rule('(or earlier|or before|or older|and earlier)', () => '<=' as const),
  rule('on', ({ end }, { tokens }) => {
    const next = tokens[end];
    return next?.kind !== 'word' || next.norm === 'in' ? ('>=' as const) : undefined;
  }),
);
