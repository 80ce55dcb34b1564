import { type Column, quoteName } from '../table/schema.ts';
import {
  allOf,
  type Direction,
  isMeasure,
  type Measure,
  type Query,
  unclear,
  type Value,
} from './query.ts';

/** One column of an answer. */
export interface OutputColumn {
  readonly name: string;
  /** The column of the table whose cells it shows unchanged. */
  readonly source: Column | undefined;
  readonly isNumber: boolean;
}

/** A question as one SQL statement. */
export interface Composed {
  readonly sql: string;
  /** Undefined: the statement gives one JSON object. */
  readonly columns: readonly OutputColumn[] | undefined;
  /** How the question was understood, as phrases. */
  readonly readAs: readonly string[];
  /** Counts the rows that refer to no row of a joined table, and so belong to no group. */
  readonly leftOut?: { readonly sql: string; readonly noun: string };
  readonly limit?: number | undefined;
  /** The name of the output that the rows are ordered by. */
  readonly goesBy?: string | undefined;
  /** Whether the answer is one row, shown as an object. */
  readonly isObject?: boolean;
}

/** An output of a statement: a calculation, or a value of rows or groups. */
export interface Item {
  readonly name: string;
  readonly sql: string;
  readonly column: OutputColumn;
  readonly measure?: Measure | undefined;
  readonly value?: Value | undefined;
}

/** The output of a value. A cell is shown as it is written. */
export function itemOf(value: Value, name = value.words): Item {
  const source = value.part ? undefined : value.column;
  const isCell = source?.shown !== undefined && value.sql === source.sql;
  return {
    ...{ name, sql: isCell ? (source.shown ?? '') : value.sql, value },
    column: { name, source, isNumber: !isCell && source?.isNumber === true },
  };
}

/** A clause of a statement; none if there are no parts. */
export const clause = (word: string, parts: readonly string[], joiner = ', '): string[] =>
  parts.length === 0 ? [] : [`${word} ${parts.join(joiner)}`];

export interface SqlOrder {
  readonly name: string;
  readonly sql: string;
  readonly words: string;
}

/** A sort key, as SQL and in words. `nulls` is SQL such as ` NULLS LAST`. */
export const orderOf = (sql: string, name: string, direction: Direction, nulls = ''): SqlOrder => ({
  name,
  sql: `${sql}${direction === 'desc' ? ' DESC' : ''}${nulls}`,
  words: `${name} ${direction === 'desc' ? 'descending' : 'ascending'}`,
});

export const sqlOf = (parts: readonly { readonly sql: string }[]) => parts.map(({ sql }) => sql);
export const wordsOf = (parts: readonly { readonly words: string }[]) =>
  parts.map(({ words }) => words);

/** The LIMIT clause as SQL. */
export const limitSql = ({ skip }: Query, limit: number | undefined): string[] =>
  limit === undefined ? [] : [`LIMIT ${limit}${skip === undefined ? '' : ` OFFSET ${skip}`}`];

/** The LIMIT clause in words. */
export const limitWords = ({ skip }: Query, limit: number | undefined): string[] =>
  limit === undefined ? [] : [skip === undefined ? `the first ${limit}` : `number ${skip + 1}`];

/** The WHERE clause as SQL. */
export const whereSql = ({ where }: Query) => clause('WHERE', sqlOf(allOf(where)), ' AND ');
/** The WHERE clause in words. */
export const whereWords = ({ where }: Query) =>
  clause('only rows where', wordsOf(allOf(where)), ' and ');

/** SQL of an output under its name. */
export const named = ({ sql, name }: Item): string =>
  sql === quoteName(name) ? sql : `${sql} AS ${quoteName(name)}`;

/** The meanings of the words in a query: `took = duration_ms`. */
export function meaningsOf(query: Query): string[] {
  const { subject, columns, groups, measures, where, orders, rank } = query;
  const by = [...orders.map((order) => order.by), rank?.by];
  const all = [
    ...[...measures, ...by.filter(isMeasure)].flatMap((one) => [one.of, ...one.where]),
    ...[...groups, ...where, ...columns],
    ...[subject === 'rows' ? undefined : subject, ...by.filter((one) => !isMeasure(one))],
  ] as readonly ({ readonly meaning?: string } | undefined)[];
  return [...new Set(all.flatMap((one) => one?.meaning?.split('; ') ?? []))];
}

/** Whether a value is a time or a text, as an order such as `alphabetically` asks. */
export function isOfSense(value: Value | undefined, sense: 'text' | 'time'): boolean {
  if (value === undefined) return false;
  const isTime = value.part !== undefined || value.column?.isTime === true;
  return sense === 'time' ? isTime : !isTime && value.column?.isNumber !== true;
}

/** The error for an order such as `alphabetically` without a column that it fits. */
export const noneOfSense = (sense: string) =>
  unclear(`The column to order by is missing: no ${sense} is shown. Add "by …".`);
