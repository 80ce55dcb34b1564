import type { ListColumn, ListFrame } from '../../../lists/columns/list-column.ts';

/** The content and the keys of a list. */
export interface ListSpec<Row> {
  /** `Approvals · 3 wait`; the text is escaped. */
  readonly title: (rows: readonly Row[], frame: ListFrame) => string;
  readonly columns: () => readonly ListColumn<Row>[];
  /** Identifies a row. */
  readonly keyOf: (row: Row) => string;
  readonly load: () => Promise<readonly Row[]>;
  /** Shown if there are no rows. */
  readonly empty: string;
  /** In display order. */
  readonly keys: readonly ListKey<Row>[];
  /** Lines below the rows about the chosen one, escaped. */
  readonly detail?: (row: Row) => readonly string[];
  /** How often the rows are read again, in milliseconds. Default: only after a key of the list. */
  readonly refreshMs?: number;
}

export type ListKey<Row> = {
  /** `enter`, or the character that is typed. */
  readonly key: string;
  /** Its action, shown after its name: `open`, `follow`. */
  readonly words: string;
} & (
  | { readonly isForAll?: false; run(row: Row): void | Promise<void> }
  /** It works without rows too. */
  | { readonly isForAll: true; run(): void | Promise<void> }
);
