import { TaskError } from '../../task-error.ts';
import type { Format } from '../read/words.ts';
import type { Column } from '../table/schema.ts';

export type Direction = 'asc' | 'desc';

/** A value of a row or a group, as SQL and in words. */
export interface Value {
  readonly sql: string;
  readonly words: string;
  readonly column?: Column | undefined;
  /** The part of a time, such as `month`. */
  readonly part?: string | undefined;
  /** SQL to group by, if it is not the shown value: two customers may have the same name. */
  readonly key?: string | undefined;
  /** How its name was understood: `took = duration_ms`. */
  readonly meaning?: string | undefined;
}

export interface Condition {
  readonly sql: string;
  readonly words: string;
  readonly meaning?: string | undefined;
  /** What it compares, if several such conditions are alternatives: the month of a time. */
  readonly part?: Value | undefined;
  /** The column of values joined by `and`: an average is calculated for each. */
  readonly each?: Column | undefined;
  /** The column and value of `column = 'value'`. */
  readonly column?: Column | undefined;
  readonly value?: string | undefined;
  /** Whether it is about all rows of a value: `beds with no kale`. */
  readonly isOfAll?: boolean;
}

/** The names of calculations in words. */
export const fnWords = {
  count: 'number of rows',
  sum: 'sum of',
  avg: 'mean of',
  median: 'median of',
  min: 'smallest',
  max: 'largest',
  stddev: 'standard deviation of',
  distinct: 'number of different',
  spread: 'largest minus smallest',
  share: 'percentage of rows',
  percentile: 'th percentile of',
  ratio: 'sum of',
};

/** A calculation over the rows of a group. */
export interface Measure {
  readonly fn: keyof typeof fnWords;
  readonly of?: Value | undefined;
  readonly percent?: number | undefined;
  /** The divisor of a ratio of two sums. */
  readonly per?: Value | undefined;
  readonly where: readonly Condition[];
  /** Whether rows may be meant instead of different values: `who borrowed the most books`. */
  readonly isEither?: boolean;
  /** The name of its output: `sum amount`. */
  readonly name: string;
}

export const isMeasure = (by: Value | Measure | undefined): by is Measure =>
  by !== undefined && 'fn' in by;

/** The subject of a question, if it is not the rows. */
export const subjectOf = ({ subject }: Pick<Query, 'subject'>): Value | undefined =>
  subject === 'rows' ? undefined : subject;

/** A calculation without conditions of its own. The total of a column that is named `total amount` has the same name. */
export const measured = (fn: Measure['fn'], of: Value | undefined, name: string): Measure => ({
  ...{ fn, of, name: name.replace(/^total total\b/, 'total'), where: [] },
});

/** The first rows or groups by a value: `the 3 largest orders`. */
export interface Rank {
  readonly direction: Direction;
  readonly word: string;
  /** Undefined: the only numeric column. */
  readonly by: Value | Measure | undefined;
  /** Undefined if no number was given and the noun is in the plural. */
  readonly count: number | undefined;
}

export interface Order {
  /** Whether it only breaks ties: `ties by name`. */
  readonly isTie?: boolean;
  readonly by?: Value | Measure | undefined;
  /** The name of an output. */
  readonly name?: string | undefined;
  readonly direction?: Direction | undefined;
  /** `worst` of `worst first`. */
  readonly word?: string | undefined;
  /** The kind of value, if `by` is undefined: `alphabetically`, `in chronological order`. Default: any. */
  readonly sense?: 'text' | 'time' | undefined;
}

/** One key of a JSON shape: `{"month": "YYYY-MM", "days": number of days}`. */
export interface ShapeEntry {
  readonly key: string;
  readonly pattern?: string;
  readonly inner?: Shape;
  /** The range of the tokens that describe the value. */
  readonly words?: readonly [from: number, end: number];
}

export interface Shape {
  readonly isList: boolean;
  readonly entries: readonly ShapeEntry[];
}

/** A question as it was understood. */
export interface Query {
  /** `rows`, or the column whose values are asked for. */
  subject?: 'rows' | Value | undefined;
  subjectIsPlural: boolean;
  /** The number of `the 2 orders with the highest …`. */
  subjectCount?: number | undefined;
  columns: Value[];
  measures: Measure[];
  groups: Value[];
  where: Condition[];
  having: { readonly measure: Measure; readonly op: string; readonly value: number }[];
  orders: Order[];
  rank?: Rank | undefined;
  /** The first or last rows in the order of the file. */
  slice?: { readonly end: 'first' | 'last'; readonly count: number } | undefined;
  limit?: number | undefined;
  /** Rows to skip: 1 for `the second largest`. */
  skip?: number | undefined;
  isDistinct: boolean;
  /** Whether the named values become groups: `adam compared to sgd`. */
  isCompared: boolean;
  /** Verbs that were ignored: `standing` in `animals standing in each paddock`. */
  aside: readonly string[];
  /** Whether a condition matches a part of a value. */
  hasPart: boolean;
  /** Whether a time between two columns is asked for. */
  hasSpan: boolean;
  isGrouped: boolean;
  /** The noun for rows in `group the errors by …`. */
  groupNoun?: string | undefined;
  definitions: Map<string, Measure>;
  /** The names of the columns of the answer. */
  keys?: readonly string[] | undefined;
  shape?: Shape | undefined;
  format?: Format | undefined;
  file?: string | undefined;
  decimals?: number | undefined;
  /** The output to round: `total rounded to 2 decimals`. */
  rounded?: string | undefined;
  hasHeader: boolean;
}

/** The query of a question of which nothing is understood yet. */
export const newQuery = (): Query => ({
  ...{ columns: [], measures: [], groups: [], where: [], having: [], orders: [] },
  ...{ subjectIsPlural: false, isDistinct: false, isGrouped: false, hasSpan: false },
  ...{ aside: [], isCompared: false, hasPart: false, hasHeader: true, definitions: new Map() },
});

/** The error for a question with a part that can't be understood. */
export const unclear = (problem: string) => new TaskError('NOT_UNDERSTOOD', problem);

/** A column as a value. */
export const columnValue = (column: Column, meaning?: string): Value => ({
  ...{ sql: column.sql, words: column.name, column, meaning, key: column.key },
});

/** SQL of a value, with NULL for empty cells, so that they come last and do not count. */
export const orNull = ({ sql, column }: Value): string =>
  column?.hasEmpty && !column.isNumber && !column.shown && sql === column.sql
    ? `nullif(${sql}, '')`
    : sql;

/** The condition that no row (or some row) with the same value fits. */
export const inRows = (
  own: Value,
  { sql }: { readonly sql: string },
  test: string,
  isNone = true,
): string =>
  `${orNull(own)} ${isNone ? 'NOT ' : ''}IN (SELECT ${orNull(own)} FROM ${sql} WHERE ${test} AND ${orNull(own)} IS NOT NULL)`;

/** The negation of a condition. A row with an empty cell satisfies it. */
export const denied = ({ column: own, sql, words }: Condition): Condition => ({
  sql: own?.hasEmpty ? `(${sql}) IS NOT TRUE` : `NOT (${sql})`,
  words: `not (${words})`,
});

/** Joins conditions that must all hold. Several values of one column are alternatives: `warnings and errors`. */
export function allOf(conditions: readonly Condition[]): readonly Condition[] {
  const keyOf = ({ sql, column, value, part }: Condition) =>
    part
      ? part.sql
      : column && value !== undefined
        ? column.sql
        : (/^(\w+) (?:IN|=) /.exec(sql)?.[1] ?? sql);
  const keys = [...new Set(conditions.map(keyOf))];
  return keys.map((key) => anyOf(conditions.filter((condition) => keyOf(condition) === key)));
}

/** Joins conditions of which one must hold. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const different = [...new Map(conditions.map((one) => [one.sql, one])).values()];
  const [first] = different;
  if (first && different.length === 1) return first;
  const isOfOne = (of: (one: Condition) => unknown) =>
    different.every((one) => of(one) === of(first as Condition));
  return {
    ...(isOfOne(({ column }) => column) && { column: first?.column }),
    ...(isOfOne(({ part }) => part?.sql) && { part: first?.part }),
    sql: `(${different.map(({ sql }) => sql).join(' OR ')})`,
    words: different.map(({ words }) => words).join(' or '),
    meaning: different.flatMap(({ meaning }) => meaning ?? []).join('; ') || undefined,
  };
}

/** SQL of conditions that must all hold. Empty if there are none. */
export const sqlOfAll = (conditions: readonly Condition[]): string =>
  allOf(conditions)
    .map(({ sql }) => sql)
    .join(' AND ');

/** A calculation as SQL. */
export function measureSql({ fn, of, percent, per, where }: Measure): string {
  const test = sqlOfAll(where);
  const filter = test === '' ? '' : ` FILTER (WHERE ${test})`;
  const value =
    of === undefined ? '*' : /^(?:min|max|distinct|spread)$/.test(fn) ? orNull(of) : of.sql;
  switch (fn) {
    case 'count':
      return `count(*)${filter}`;
    case 'distinct':
      return `count(DISTINCT ${of?.key ?? value})${filter}`;
    case 'share':
      return shareSql(of === undefined ? 'count(*)' : `sum(${of.sql})`, filter);
    case 'percentile':
      return `percentile(${value}, ${percent})${filter}`;
    case 'ratio':
      return percent
        ? `${percent}.0 * sum(${value})${filter} / sum(${per?.sql})${filter}`
        : ratioSql(value, per?.sql ?? '', test);
    case 'spread':
      return `max(${value})${filter} - min(${value})${filter}`;
    default:
      return `${fn}(${value})${filter}`;
  }
}

/** The share of those that fit in their group; without a condition, the share of a group in all groups. */
const shareSql = (figure: string, filter: string): string =>
  `round(100.0 * ${figure}${filter} / ${filter === '' ? `sum(${figure}) OVER ()` : figure}, 2)`;

/** Of the rows that have both. */
function ratioSql(of: string, per: string, test: string): string {
  const both = [`${of} IS NOT NULL AND ${per} IS NOT NULL`, ...(test === '' ? [] : [`(${test})`])];
  const filter = ` FILTER (WHERE ${both.join(' AND ')})`;
  return `1.0 * sum(${of})${filter} / sum(${per})${filter}`;
}

/** A calculation in words: `sum of amount where country is DE`. */
export function measureWords({ fn, of, percent, per, where }: Measure): string {
  const head = `${percent ?? ''}${fn === 'ratio' && percent ? ' times ' : ''}${fnWords[fn]}${of && fn === 'share' ? ', by' : ''}${of ? ` ${of.words}` : ''}${per ? ` divided by sum of ${per.words}` : ''}`;
  const words = allOf(where).map((one) => one.words);
  return words.length === 0 ? head : `${head} where ${words.join(' and ')}`;
}

/** Whether a calculation counts. Counts are never rounded. */
export const isCounting = ({ fn }: Measure): boolean => fn === 'count' || fn === 'distinct';

/** A calculation as SQL, rounded to a number of decimals. */
export const rounded = (measure: Measure, decimals: number | undefined): string => {
  const sql = measureSql(measure);
  if (decimals === undefined || isCounting(measure)) return sql;
  return decimals === 0 ? `CAST(round(${sql}) AS INTEGER)` : `round(${sql}, ${decimals})`;
};
