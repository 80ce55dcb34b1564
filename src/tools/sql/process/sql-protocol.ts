import type { FileTable } from '../files/load-files.ts';
import type { DatabaseFile } from '../query/query-database.ts';
import type { ResultFormat } from '../query/result-file.ts';
import type { TableReport } from '../query/table-report.ts';

/** What the child process of one query is given, as one JSON document on stdin. Its files are open as descriptors. */
export interface SqlRequest {
  readonly database?: DatabaseFile | undefined;
  readonly tables: readonly FileTable[];
  readonly sql: string;
  readonly params: SqlParams;
  readonly maxRows: number;
  readonly maxBytes: number;
  /** The result as the content of a file follows the answer. */
  readonly saveAs?: ResultFormat | undefined;
  /** The statements change a copy of the database, which is a new one if none is given. */
  readonly change?: { readonly wantsContent: boolean } | undefined;
}

export type SqlParam = string | number | boolean | null;
export type SqlParams = readonly SqlParam[] | Readonly<Record<string, SqlParam>>;

/** What it answers, as one line of JSON on stdout. */
export type SqlAnswer =
  | { readonly ok: true; readonly result: SqlResult }
  | { readonly ok: false; readonly problem: string };

/** An answer, and the content of the file that follows it: the saved result, or the changed database. */
export interface Answered {
  readonly answer: SqlAnswer;
  readonly content: Buffer;
}

/** Integers beyond 2^53 are texts; a BLOB is `{"$blob_bytes": n}`. */
export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** All rows of the query, where they could be counted within a second. */
  readonly total_rows?: number;
  readonly truncated: boolean;
  /** What was detected of files, by table. */
  readonly tables?: Readonly<Record<string, TableReport>>;
  /** Columns of files whose numbers the rows may spell otherwise than the file. Default: none. */
  readonly respelled?: readonly string[];
  /** What statements change, in words, and the database that they make. */
  readonly changes?: readonly string[];
  readonly sha256?: string;
  readonly bytes?: number;
}
