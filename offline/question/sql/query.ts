import type { Format } from '../../language/lexicon.ts';
import type { Column } from '../table/schema.ts';

export type Direction = 'asc' | 'desc';

/** A value that SQL calculates, and its name for people. */
export interface Expression {
  readonly sql: string;
  readonly words: string;
  readonly column?: Column | undefined;
  /** The part of a time, such as `month`. */
  readonly part?: string | undefined;
}

/** The value of a column. */
export const expressionOf = (column: {
  readonly sql: string;
  readonly name: string;
}): Expression => ({
  sql: column.sql,
  words: column.name,
  column: column as Expression['column'],
});

export interface Condition {
  readonly sql: string;
  readonly words: string;
}

/** A calculation over the rows of a group. */
export interface Measure {
  /** `count`, `sum`, `avg`, `median`, `min`, `max`, `stddev`, `percentile`, `distinct` or `share`. */
  readonly fn: string;
  readonly of?: Expression | undefined;
  readonly percent?: number | undefined;
  readonly where: Condition[];
  /** As written: `sum amount`. */
  readonly name: string;
}

/** The first rows or groups of an order. */
export interface Rank {
  readonly direction: Direction;
  /** Undefined: no number was given and the noun is in the plural. */
  readonly count: number | undefined;
  readonly by: Expression | Measure | undefined;
  readonly word: string;
}

export interface Order {
  /** Only for rows that are equal by the other orders: `ties by name`. */
  readonly isTie?: boolean;
  readonly by: Expression | Measure | undefined;
  /** A name that is looked up among the outputs. */
  readonly name?: string | undefined;
  readonly direction: Direction | undefined;
  /** The kind of the value, if `by` is undefined: `alphabetically`, `in chronological order`. Default: any. */
  readonly sense?: 'text' | 'time' | undefined;
}

/** One key of a JSON shape: `{"month": "YYYY-MM", "days": number of days}`. */
export interface ShapeEntry {
  readonly key: string;
  readonly pattern?: string | undefined;
  readonly inner?: Shape | undefined;
  /** Indices of the tokens that describe the value. */
  readonly words?: readonly [from: number, to: number] | undefined;
}

export interface Shape {
  readonly isList: boolean;
  readonly entries: readonly ShapeEntry[];
}

/** A question as it was read. */
export interface Query {
  /** `rows`, or the column whose values are asked for. */
  subject: 'rows' | Expression | undefined;
  /** Whether the noun of `subject` is in the plural. */
  subjectIsPlural: boolean;
  /** `the 2 orders with the highest …` */
  subjectCount: number | undefined;
  readonly columns: Expression[];
  readonly measures: Measure[];
  readonly groups: Expression[];
  readonly where: Condition[];
  readonly having: {
    readonly measure: Measure | undefined;
    readonly op: string;
    readonly value: number;
  }[];
  readonly orders: Order[];
  rank: Rank | undefined;
  /** The first or last rows in the order of the file. */
  slice: { readonly end: 'first' | 'last'; readonly count: number } | undefined;
  limit: number | undefined;
  /** Rows that come before: 1 for `the second largest`. */
  skip: number | undefined;
  isDistinct: boolean;
  isGrouped: boolean;
  /** The noun for rows in `group the errors by …`. */
  groupNoun: string | undefined;
  readonly definitions: Map<string, Measure>;
  keys: readonly string[] | undefined;
  shape: Shape | undefined;
  format: Format | undefined;
  file: string | undefined;
  decimals: number | undefined;
  /** The output to round: `total rounded to 2 decimals`. */
  rounded: string | undefined;
  hasHeader: boolean;
  /** The meaning of words: `errors = status >= 400`. */
  readonly meanings: Set<string>;
}

export const newQuery = (): Query => ({
  subject: undefined,
  subjectIsPlural: false,
  subjectCount: undefined,
  columns: [],
  measures: [],
  groups: [],
  where: [],
  having: [],
  orders: [],
  rank: undefined,
  slice: undefined,
  limit: undefined,
  skip: undefined,
  isDistinct: false,
  isGrouped: false,
  groupNoun: undefined,
  definitions: new Map(),
  keys: undefined,
  shape: undefined,
  format: undefined,
  file: undefined,
  decimals: undefined,
  rounded: undefined,
  hasHeader: true,
  meanings: new Set(),
});
