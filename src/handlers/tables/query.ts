/** What of a date or time counts. `hour` is an hour of a day (`2024-05-17 10:00`), `hour of day` is 0 to 23. */
export type TimePart =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'hour of day'
  | 'weekday';

/** A value computed from one row. */
export type Expression =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'part'; readonly part: TimePart; readonly column: string }
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'binary';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: Expression;
      readonly right: Expression;
    };

export type Test =
  | '='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'between'
  | 'contains'
  | 'starts with'
  | 'ends with'
  | 'is empty';

/** `=` holds where the value is any of `values`; `between` includes both ends. Text compares without regard to case. */
export interface Condition {
  readonly left: Expression;
  readonly test: Test;
  readonly values: readonly (string | number)[];
}

/** Holds where any condition does; with `negated`, where none does. All filters of a list must hold. */
export interface Filter {
  readonly any: readonly Condition[];
  readonly negated: boolean;
}

export type Aggregate =
  | 'count'
  | 'distinct'
  | 'sum'
  | 'mean'
  | 'median'
  | 'percentile'
  | 'min'
  | 'max'
  | 'deviation'
  | 'share';

export interface Measure {
  readonly name: string;
  readonly aggregate: Aggregate;
  /** What is aggregated; `count` and `share` have none. */
  readonly argument?: Expression | undefined;
  /** 0 to 100, with `percentile`. */
  readonly percentile?: number | undefined;
  /** `share`: 100 for percent, 1 for a fraction. */
  readonly scale?: number | undefined;
  /** Rows that count for this measure only. `share` divides them by all rows of the group. */
  readonly where: readonly Filter[];
  readonly unit?: string | undefined;
  readonly decimals?: number | undefined;
  /** Only used to order. */
  readonly isHidden?: boolean | undefined;
}

export interface Dimension {
  readonly name: string;
  readonly expression: Expression;
}

/** `output` counts the dimensions, then the measures; with rows, an expression. */
export interface Order {
  readonly by: { readonly output: number } | Expression;
  readonly direction: 'ascending' | 'descending';
  readonly asText?: boolean | undefined;
}

export interface Having {
  /** Index in `measures`. */
  readonly measure: number;
  readonly test: '<' | '<=' | '>' | '>=' | '=';
  readonly value: number;
}

/** One question about one table, checked against its columns. */
export interface Query {
  readonly source: string;
  readonly filters: readonly Filter[];
  readonly groupBy: readonly Dimension[];
  /** Empty where rows themselves are asked for. */
  readonly measures: readonly Measure[];
  readonly having: readonly Having[];
  /** What comes first where `limit` cuts. Ties keep the order of the file. */
  readonly rank: readonly Order[];
  readonly limit?: number | undefined;
  /** With rows: `limit` holds within each of these groups. */
  readonly partitionBy?: readonly Dimension[] | undefined;
  /** Take the last rows of the file instead of the first ones. */
  readonly fromEnd?: boolean | undefined;
  /** The order of what is left, where it differs from `rank`. */
  readonly order: readonly Order[];
  /** Columns shown, where rows are asked for. */
  readonly select: readonly Dimension[];
  /** Leave out repeated rows. */
  readonly isDistinct?: boolean | undefined;
  readonly decimals?: number | undefined;
}
