/** One value as it was read. Numbers of text formats stay text until a column is known to be numeric. */
export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

/** `mixed`: some cells are numbers and some are not; `list`: nested values that can only be shown. */
export type ColumnType = 'number' | 'text' | 'time' | 'mixed' | 'list';

/** What a column of a log means, whatever it is called there. */
export type Role =
  | 'client'
  | 'time'
  | 'method'
  | 'path'
  | 'endpoint'
  | 'status'
  | 'bytes'
  | 'duration'
  | 'referrer'
  | 'user_agent'
  | 'level';

export interface Column {
  readonly name: string;
  readonly index: number;
  readonly type: ColumnType;
  /** `ms`, `s`, `us`, `bytes`, `$`, …; undefined where the file does not say. */
  readonly unit?: string | undefined;
  readonly role?: Role | undefined;
  /** Order of day and month in dates such as 03/04/2024; `unclear` where the file allows both. */
  readonly dateOrder?: 'day first' | 'month first' | 'unclear' | undefined;
  /** Distinct values of the part that was looked at, or undefined where there are too many to keep. */
  readonly values?: ReadonlySet<string> | undefined;
  /** Not in the file: made of another column. */
  readonly isDerived?: boolean | undefined;
  /** The table of a database that this column belongs to, where the rows join several. */
  readonly table?: string | undefined;
}

/** Lines that could not be read as rows. */
export interface Skipped {
  count: number;
  /** The first few, for the report. */
  readonly lines: number[];
}

/** Rows with named columns, read once from the start. */
export interface Table {
  readonly name: string;
  /** `access log`, `CSV`, `JSON`, `JSON lines`, `key=value log`, `SQLite table`. */
  readonly format: string;
  readonly isLog: boolean;
  readonly columns: readonly Column[];
  /** What one row is called, in the singular and lower case: `request`, `line`, `product`. */
  readonly rowNouns: readonly string[];
  readonly skipped: Skipped;
  /** False where columns and values were inferred from the beginning of a large file only. */
  readonly isWhole: boolean;
  /** Reads the rows in batches. `used` are the indexes of the columns that matter. Call it once. */
  readonly rows: (used: readonly number[]) => AsyncGenerator<readonly Row[]>;
}
