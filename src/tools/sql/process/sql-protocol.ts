import type { FileTable } from '../files/load-files.ts';
import type { DatabaseFile } from '../query/query-database.ts';
import type { TableReport } from '../query/table-report.ts';

/** Largest database that statements may change, in bytes: it is changed in memory and replaced as a whole. */
export const MAX_DATABASE_BYTES = 64 * 1024 * 1024;

/** Limit of the content after an answer, in bytes: a file, or a changed database. */
export const MAX_CONTENT_BYTES = 64 * 1024 * 1024;

/** A request to the query process, as one line of JSON. Files are passed as open descriptors. */
export interface SqlRequest {
  readonly database?: DatabaseFile | undefined;
  readonly tables: readonly FileTable[];
  readonly sql: string;
  readonly params: SqlParams;
  readonly maxRows: number;
  readonly maxBytes: number;
  /** The content of a file with the result follows the answer. */
  readonly saveAs?: ResultFormat | undefined;
  /**
   * The statements change a copy of the database, or a new one if none is given. Its content follows the answer; for a
   * preview, the SHA-256 of its content.
   */
  readonly change?: 'preview' | 'perform';
}

/** The format of a file with a result. */
export type ResultFormat = 'csv' | 'json' | 'jsonl' | 'md';

type SqlParam = string | number | boolean | null;
export type SqlParams = readonly SqlParam[] | Readonly<Record<string, SqlParam>>;

/** Before each reply: the sizes of the answer and of the content after it in bytes, as two 32-bit numbers. */
export const SIZES_BYTES = 8;

/** The answer of the query process, as JSON. */
export type SqlAnswer =
  | { readonly ok: true; readonly result: SqlResult }
  | { readonly ok: false; readonly problem: string };

export interface SqlFindings {
  readonly result: SqlResult;
  /** The result as a file, or the changed database or its SHA-256; empty if nothing was requested. */
  readonly content: Buffer;
}

/** Integers beyond 2^53 are texts; a BLOB is `{"$blob_bytes": n}`. */
export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Number of all rows, if they could be counted within a second. */
  readonly total_rows?: number;
  readonly truncated: boolean;
  /** What was detected of files, by table. */
  readonly tables?: Readonly<Record<string, TableReport>>;
  /** Columns of files whose numbers may be spelled differently in the rows. Default: none. */
  readonly respelled?: readonly string[];
  /** What statements change, in words. */
  readonly changes?: readonly string[];
}
