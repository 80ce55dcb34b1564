import { type Column, quoteName } from '../table/schema.ts';
import { allOf, type Direction, isMeasure, type Measure, type Query, type Value } from './query.ts';

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

/** A part of a statement, as SQL and in words. */
export interface Clause {
  readonly sql: string;
  readonly words: string;
}

export interface SqlOrder extends Clause {
  readonly name: string;
}

/** A sort key. `nulls` is SQL such as ` NULLS LAST`. */
export const orderOf = (sql: string, name: string, direction: Direction, nulls = ''): SqlOrder => ({
  name,
  sql: `${sql}${direction === 'desc' ? ' DESC' : ''}${nulls}`,
  words: `${name} ${direction === 'desc' ? 'descending' : 'ascending'}`,
});

export const sqlOf = (parts: readonly Pick<Clause, 'sql'>[]) => parts.map(({ sql }) => sql);
export const wordsOf = (parts: readonly Pick<Clause, 'words'>[]) => parts.map(({ words }) => words);

/** Joins parts behind a keyword and a phrase, each given with what is between the parts. None if there are no parts. */
export const clause = (
  parts: readonly Clause[],
  [keyword, joiner]: readonly [string, string],
  [phrase, and]: readonly [string, string],
): readonly Clause[] =>
  parts.length === 0
    ? []
    : [
        {
          sql: `${keyword} ${sqlOf(parts).join(joiner)}`,
          words: `${phrase} ${wordsOf(parts).join(and)}`,
        },
      ];

export const whereClause = ({ where }: Query) =>
  clause(allOf(where), ['WHERE', ' AND '], ['only rows where', ' and ']);
export const orderClause = (orders: readonly Clause[]) =>
  clause(orders, ['ORDER BY', ', '], ['ordered by', ', then ']);
export const groupClause = (groups: readonly Clause[], phrase: string) =>
  clause(groups, ['GROUP BY', ', '], [phrase, ' and ']);

export const limitClause = ({ skip }: Query, limit: number | undefined): readonly Clause[] => {
  if (limit === undefined) return [];
  const [offset, words] =
    skip === undefined ? ['', `the first ${limit}`] : [` OFFSET ${skip}`, `number ${skip + 1}`];
  return [{ sql: `LIMIT ${limit}${offset}`, words }];
};

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
