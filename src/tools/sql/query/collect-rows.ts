import type { Statement } from 'better-sqlite3';
import type { SqlParams, SqlRequest, SqlResult } from '../process/sql-protocol.ts';

export type Query = Statement<unknown[], unknown[]>;

/** A value and its text in the file. */
export class Spelled {
  readonly text: string;
  readonly isNumber: boolean;

  constructor(text: string, isNumber: boolean) {
    this.text = text;
    this.isNumber = isNumber;
  }
}

/** Time limit for counting rows that are not returned, in milliseconds. */
const COUNT_MS = 1_000;
const MAX_CELL_CHARS = 64 * 1024;
const MAX_NAME_CHARS = 128;

/** The rows of a query. Its whole numbers are of any size. */
export const rowsOf = (query: Query, params: SqlParams): Iterable<unknown[]> =>
  query
    .raw(true)
    .safeIntegers(true)
    .iterate(...boundParams(params));

/** Values as a statement binds them. SQLite has no booleans: they are 1 and 0. */
export function boundParams(params: SqlParams): unknown[] {
  const values = Object.entries(params).map(([name, value]) => [
    name.replace(/^[:@$]/, ''),
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  if (Array.isArray(params)) return values.map(([, value]) => value);
  return values.length === 0 ? [] : [Object.fromEntries(values)];
}

export const columnsOf = (query: Query): string[] =>
  query.columns().map(({ name }) => cut(name, MAX_NAME_CHARS));

/** Collects as many rows as fit. @param rest What the answer contains besides them. */
export function collectRows(
  found: Iterable<unknown[]>,
  rest: unknown,
  { maxRows, maxBytes }: Pick<SqlRequest, 'maxRows' | 'maxBytes'>,
): Pick<SqlResult, 'rows' | 'total_rows' | 'truncated'> {
  const rows: unknown[][] = [];
  let bytes = Buffer.byteLength(JSON.stringify(rest));
  let total = 0;
  let isCut = false;
  let countUntilMs = Number.POSITIVE_INFINITY;
  for (const raw of found) {
    total += 1;
    if (!isCut) {
      const row = raw.map(toJson);
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      isCut = rows.length >= maxRows || bytes > maxBytes;
      if (!isCut) rows.push(row);
      else countUntilMs = performance.now() + COUNT_MS;
    } else if (performance.now() > countUntilMs) {
      return { rows, truncated: true };
    }
  }
  return { rows, total_rows: total, truncated: isCut };
}

export function toJson(value: unknown): unknown {
  if (value instanceof Spelled) return cut(value.text, MAX_CELL_CHARS);
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return { $blob_bytes: value.byteLength };
  return typeof value === 'string' ? cut(value, MAX_CELL_CHARS) : value;
}

/** Cuts a text and states its length, if it is too long. */
const cut = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
