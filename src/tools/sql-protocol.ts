/** What the child process of one query is given, as one JSON document on stdin. The database is open as descriptor 3. */
export interface SqlRequest {
  /** Absolute: SQLite opens by path; what it opened must be what descriptor 3 is. */
  readonly path: string;
  readonly sql: string;
  readonly params: SqlParams;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export type SqlParam = string | number | boolean | null;
export type SqlParams = readonly SqlParam[] | Readonly<Record<string, SqlParam>>;

/** What it answers, as one JSON document on stdout. */
export type SqlAnswer =
  | { readonly ok: true; readonly result: SqlResult }
  | { readonly ok: false; readonly problem: string };

/** Integers beyond 2^53 are texts; a BLOB is `{"$blob_bytes": n}`. */
export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** All rows of the query, where they could be counted within a second. */
  readonly total_rows?: number;
  readonly truncated: boolean;
}
