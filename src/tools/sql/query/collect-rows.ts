import type { SqlRequest, SqlResult } from '../process/sql-protocol.ts';
import { Spelled } from './original-text.ts';

/** Time limit for counting rows that are not returned, in milliseconds. */
const COUNT_MS = 1_000;
const MAX_CELL_CHARS = 64 * 1024;

/** Collects as many rows as fit. @param headBytes Size of the rest of the answer. */
export function collectRows(
  found: Iterable<unknown[]>,
  headBytes: number,
  { maxRows, maxBytes }: Pick<SqlRequest, 'maxRows' | 'maxBytes'>,
): Pick<SqlResult, 'rows' | 'total_rows' | 'truncated'> {
  const rows: unknown[][] = [];
  let bytes = headBytes;
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
export const cut = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
