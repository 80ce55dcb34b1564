import type { Format } from '../../language/lexicon.ts';
import type { Column } from '../table/schema.ts';

export type Direction = 'asc' | 'desc';

/** A value that SQL calculates, and what a person calls it. */
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
  /** As it was said: `sum amount`. */
  readonly name: string;
}

/** One of the rows or groups that come first. */
export interface Rank {
  readonly direction: Direction;
  /** Undefined: no number was given and the noun is in the plural. */
  readonly count: number | undefined;
  readonly by: Expression | Measure | undefined;
  readonly word: string;
}

export interface Order {
  /** Only between what is equal by the others: `ties by name`. */
  readonly isTie?: boolean;
  readonly by: Expression | Measure | undefined;
  /** A name that is looked up among the outputs. */
  readonly name?: string | undefined;
  readonly direction: Direction | undefined;
  /** Of what kind the value is that `by` leaves open: `alphabetically`, `in chronological order`. Default: of any. */
  readonly sense?: 'text' | 'time' | undefined;
}

/** One key of a JSON shape: `{"month": "YYYY-MM", "days": number of days}`. */
export interface ShapeEntry {
  readonly key: string;
  readonly pattern?: string | undefined;
  readonly inner?: Shape | undefined;
  /** Indices of the tokens that say what the value is. */
  readonly words?: readonly [from: number, to: number] | undefined;
}

export interface Shape {
  readonly isList: boolean;
  readonly entries: readonly ShapeEntry[];
}

/** A question as it was read. */
export interface Query {
  /** `rows`: rows are asked for; a column: its values are. */
  subject: 'rows' | Expression | undefined;
  /** The noun of `subject` stood in the plural. */
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
  /** What `group the errors by …` calls its rows. */
  groupNoun: string | undefined;
  readonly definitions: Map<string, Measure>;
  keys: readonly string[] | undefined;
  shape: Shape | undefined;
  format: Format | undefined;
  file: string | undefined;
  decimals: number | undefined;
  /** The output that is said to be rounded: `total rounded to 2 decimals`. */
  rounded: string | undefined;
  hasHeader: boolean;
  /** What words were taken to mean: `errors = status >= 400`. */
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
