import { type Comparison, months } from '../../language/lexicon.ts';
import type { Condition } from '../sql/query.ts';
import type { Column } from '../table/schema.ts';
import { timeColumn } from './read-names.ts';
import { attempt, eat, peek, type Reader, skip } from './reader.ts';

const timeOps: readonly (readonly [readonly string[], Comparison])[] = [
  [['on or after', 'since', 'starting', 'starting in', 'starting from', 'from'], '>='],
  [['on or before', 'until', 'till', 'through', 'up to', 'by the end of'], '<='],
  [['after', 'later than', 'newer than', 'past'], '>'],
  [['before', 'earlier than', 'older than', 'prior to'], '<'],
  [
    [
      'in',
      'on',
      'during',
      'for',
      'of',
      'within',
      'at',
      'dated',
      'is in',
      'is',
      'is on',
      'was in',
      'was on',
      'falls in',
    ],
    '=',
  ],
];

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `in March 2024`, `since 2024-03-01`, `between 2024-01-01 and 2024-02-01`, `on Mondays` */
export function timeCondition(reader: Reader, column?: Column): Condition | undefined {
  const between = attempt(reader, (inner) => {
    if (!eat(inner, ['between', 'from', 'is between'])) return undefined;
    const from = eatMoment(inner);
    if (!from || !eat(inner, ['and', 'to', 'until', 'through'])) return undefined;
    const high = eatMoment(inner);
    const low = high && inYearOf(from, high);
    if (!low || high.format !== low.format) return undefined;
    const years = yearColumn(inner, column, low);
    if (years)
      return {
        sql: `${years.sql} BETWEEN ${low.text} AND ${high.text}`,
        words: `${years.name} is ${low.text} to ${high.text}`,
      };
    const time = column ?? timeColumn(inner, low.text);
    return {
      sql: `${low.of(time.sql)} BETWEEN '${low.text}' AND '${high.text}'`,
      words: `${time.name} is ${low.text} to ${high.text}`,
    };
  });
  if (between) return between;
  for (const [phrases, op] of timeOps) {
    const found = attempt(reader, (inner) =>
      eat(inner, phrases) ? dateTest(inner, column, op) : undefined,
    );
    if (found) return found;
  }
  return undefined;
}

export function dateTest(
  reader: Reader,
  column: Column | undefined,
  op: Comparison,
): Condition | undefined {
  skip(reader, ['the', 'of', 'year', 'month']);
  const moment = eatMoment(reader);
  if (!moment) return undefined;
  const bound = op === '=' ? (openEnd(reader) ?? op) : op;
  const years = yearColumn(reader, column, moment);
  if (years)
    return {
      sql: `${years.sql} ${bound} ${moment.text}`,
      words: `${years.name} ${bound} ${moment.text}`,
    };
  const time = column ?? timeColumn(reader, moment.text);
  return {
    sql: `${moment.of(time.sql)} ${bound} '${moment.text}'`,
    words: `${time.name} ${bound === '=' ? 'is in' : bound} ${moment.words}`,
  };
}

/** `in 2022 or later` */
function openEnd(reader: Reader): Comparison | undefined {
  if (eat(reader, ['or later', 'or after', 'or newer', 'and later', 'onwards', 'onward']))
    return '>=';
  return eat(reader, ['or earlier', 'or before', 'or older', 'and earlier']) ? '<=' : undefined;
}

/** The column of years, as numbers, of a table without dates. */
function yearColumn(
  { table }: Reader,
  column: Column | undefined,
  { format }: Moment,
): Column | undefined {
  if (column || format !== '%Y' || table.columns.some(({ isTime }) => isTime)) return undefined;
  const found = table.columns.filter(({ isNumber, words }) => isNumber && words.includes('year'));
  return found.length === 1 ? found[0] : undefined;
}

/** `April` in `from April to June 2026`. */
const inYearOf = (from: Moment, to: Moment): Moment =>
  from.format === '%m' && to.format === '%Y-%m'
    ? moment('%Y-%m', `${to.text.slice(0, 4)}-${from.text}`)
    : from;

interface Moment {
  readonly format: string;
  readonly text: string;
  readonly words: string;
  readonly of: (column: string) => string;
}

const moment = (format: string, text: string, words = text): Moment => ({
  ...{ format, text, words },
  of: (column) => (format === '%Y-%m-%d' ? `date(${column})` : `strftime('${format}', ${column})`),
});

function eatMoment(reader: Reader): Moment | undefined {
  const token = peek(reader);
  if (!token) return undefined;
  const isYear = token.kind === 'number' && /^(?:19|20)\d\d$/.test(token.text);
  const month =
    token.kind === 'word' && token.norm.length > 2
      ? months.findIndex(
          (name) =>
            token.norm === name ||
            (new RegExp(`^${name}[a-z]*$`).test(token.norm) && monthNames.has(token.norm)),
        )
      : -1;
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

const monthNames = new Set(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);
