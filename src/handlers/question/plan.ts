import type { Query } from '../tables/query.ts';
import type { Format } from './parse-output.ts';

/** One column of an answer: a column of a query's result under the name that was asked for. */
export interface PlannedColumn {
  readonly key: string;
  /** Index in the result's columns. */
  readonly column: number;
}

/** Where the values of a JSON object come from. */
export type ObjectNode =
  | {
      readonly kind: 'object';
      readonly entries: readonly (readonly [key: string, node: ObjectNode])[];
    }
  /** The first row of a query's result. */
  | { readonly kind: 'row'; readonly query: number; readonly columns: readonly PlannedColumn[] }
  | { readonly kind: 'cell'; readonly query: number; readonly column: number };

/** What is done for one question: its queries, and what is made of their results. */
export interface Plan {
  /** As it was written. */
  readonly text: string;
  /** What words were taken to mean: `errors = status ≥ 400`. */
  readonly meanings: readonly string[];
  readonly queries: readonly Query[];
  /** Names of the columns, where they were given. */
  readonly columns: readonly PlannedColumn[] | undefined;
  readonly object: ObjectNode | undefined;
  /** An object with the first column as keys and the second as values. */
  readonly isMapping: boolean;
  readonly file: string | undefined;
  readonly format: Format | undefined;
  readonly hasHeader: boolean;
  /** No number was given for a top list. */
  readonly limitIsDefault: boolean;
}
