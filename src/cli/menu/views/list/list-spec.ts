import type { ListColumn, ListFrame } from '../../../lists/columns/list-column.ts';

/** What a list shows and what its keys do. */
export interface ListSpec<Row> {
  /** `Approvals · 3 wait`; the text is escaped. */
  readonly title: (rows: readonly Row[], frame: ListFrame) => string;
  readonly columns: () => readonly ListColumn<Row>[];
  /** Identifies a row. */
  readonly keyOf: (row: Row) => string;
  readonly load: () => Promise<readonly Row[]>;
  /** What is said if there are no rows. */
  readonly empty: string;
  /** In the order in which they are named. */
  readonly keys: readonly ListKey<Row>[];
  /** Lines below the rows about the chosen one, escaped. */
  readonly detail?: (row: Row) => readonly string[];
  /** How often the rows are read again, in milliseconds. Default: only after a key of the list. */
  readonly refreshMs?: number;
}

export type ListKey<Row> = {
  /** `enter`, or the character that is typed. */
  readonly key: string;
  /** What it does, after its name: `opens`, `follow`. */
  readonly words: string;
} & (
  | { readonly isForAll?: false; run(row: Row): void | Promise<void> }
  /** It works without rows too. */
  | { readonly isForAll: true; run(): void | Promise<void> }
);
