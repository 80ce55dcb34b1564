import type { Comparison } from '../../language/lexicon.ts';
import { TaskError } from '../../task-error.ts';
import type { Condition } from '../sql/query.ts';
import type { Column, Table } from '../table/schema.ts';
import { eatLastDays, eatMoment, type Moment, moment } from './eat-moment.ts';
import { timeColumn } from './read-names.ts';
import { attempt, eat, peek, type Reader, skip } from './reader.ts';

const timeOps: readonly (readonly [readonly string[], Comparison])[] = [
  [['on or after', 'since', 'starting', 'starting in', 'starting from'], '>='],
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

/** `in March 2024`, `since 2024-03-01`, `between 2024-01-01 and 2024-02-01`, `on Mondays` */
export function timeCondition(reader: Reader, column?: Column): Condition | undefined {
  if (column && !column.isTime) return undefined;
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
    const [first, last] = monthsOfOneYear([low, high], time, inner.table);
    return {
      sql: `${first.of(time.sql)} BETWEEN ${first.sql} AND ${last.sql}`,
      words: `${time.name} is ${first.text} to ${last.text}`,
    };
  });
  if (between) return between;
  const days = attempt(reader, eatLastDays);
  if (days) {
    const { sql, name } = column ?? timeColumn(reader, days.words);
    return {
      sql: `date(${sql}) BETWEEN ${days.sql} AND date('now', 'localtime')`,
      words: `${name} is in the ${days.words}`,
    };
  }
  const from = attempt(reader, (inner) =>
    eat(inner, ['from']) ? fromMoment(inner, column) : undefined,
  );
  if (from) return from;
  for (const [phrases, op] of timeOps) {
    const found = attempt(reader, (inner) =>
      eat(inner, phrases) ? dateTest(inner, column, op) : undefined,
    );
    if (found) return found;
  }
  return attempt(reader, (inner) => bareMoment(inner, column));
}

/** `orders today`, `sales last month` */
const bareMoment = (reader: Reader, column?: Column): Condition | undefined =>
  /^(?:today|yesterday|this|current|last|previous)$/.test(peek(reader)?.norm ?? '')
    ? dateTest(reader, column, '=')
    : undefined;

/** `from March 2024` means in that month, `from March 2024 on` since then; for a day, both are possible. */
function fromMoment(reader: Reader, column?: Column): Condition | undefined {
  const found = eatMoment({ ...reader });
  const condition = dateTest(reader, column, '=');
  if (found?.format === '%Y-%m-%d' && !condition?.sql.includes('>='))
    throw new TaskError(
      'AMBIGUOUS',
      `"from ${found.words}" may mean that day or all days since: say "on ${found.words}" or "since ${found.words}".`,
    );
  return condition;
}

export function dateTest(
  reader: Reader,
  column: Column | undefined,
  op: Comparison,
): Condition | undefined {
  skip(reader, ['the', 'of', 'year', 'month']);
  const found = eatMoment(reader);
  if (!found) return undefined;
  const bound = op === '=' ? (openEnd(reader) ?? op) : op;
  const years = yearColumn(reader, column, found);
  if (years)
    return {
      sql: `${years.sql} ${bound} ${found.text}`,
      words: `${years.name} ${bound} ${found.text}`,
    };
  const time = column ?? timeColumn(reader, found.text);
  const exact = withYear(found, time, { table: reader.table, isOpen: bound !== '=' });
  return {
    sql: `${exact.of(time.sql)} ${bound} ${exact.sql}`,
    words: `${time.name} ${bound === '=' ? isAt(exact) : bound} ${exact.words}`,
  };
}

const isAt = ({ words }: Moment): string => (/^(?:today|yesterday)$/.test(words) ? 'is' : 'is in');

/** `since November` is of the one year that the table has. @throws TaskError `AMBIGUOUS`. */
function withYear(
  found: Moment,
  { values }: Column,
  { table, isOpen }: { readonly table: Table; readonly isOpen: boolean },
): Moment {
  if (found.format === '%w' && isOpen)
    throw new TaskError('AMBIGUOUS', `${found.words} is in every week: give the date of the day.`);
  if (found.format !== '%m') return found;
  const meant = [...values].filter((value) => isOpen || value.slice(5, 7) === found.text);
  const years = [...new Set(meant.map((value) => value.slice(0, 4)))].sort();
  if (years.length > 1 || (isOpen && !table.isWhole)) {
    const said = years.slice(-2).map((year) => `"${found.words} ${year}"`);
    throw new TaskError(
      'AMBIGUOUS',
      `${found.words} is in several years: say ${said.join(' or ')}.`,
    );
  }
  return isOpen ? moment('%Y-%m', `${years[0]}-${found.text}`) : found;
}

/** `between March and May` is of the one year that the table has. @throws TaskError `AMBIGUOUS`. */
function monthsOfOneYear(
  [low, high]: readonly [Moment, Moment],
  time: Column,
  table: Table,
): readonly [Moment, Moment] {
  if (low.format !== '%m') return [low, high];
  return [
    withYear(low, time, { table, isOpen: true }),
    withYear(high, time, { table, isOpen: true }),
  ];
}

/** `in 2022 or later` */
function openEnd(reader: Reader): Comparison | undefined {
  if (eat(reader, ['or later', 'or after', 'or newer', 'and later', 'onwards', 'onward']))
    return '>=';
  const next = peek(reader, 1);
  if (peek(reader)?.norm === 'on' && (next?.kind !== 'word' || next.norm === 'in')) {
    reader.at += 1;
    return '>=';
  }
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
