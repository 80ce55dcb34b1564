import { Spelled } from './original-text.ts';

/** Longest time for counting rows that are not given, in milliseconds. */
const COUNT_MS = 1_000;
const MAX_CELL_CHARS = 64 * 1024;

export interface RowLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface CollectedRows {
  readonly rows: readonly (readonly unknown[])[];
  /** All rows, where they could be counted in time. */
  readonly total_rows?: number;
  readonly truncated: boolean;
}

/** @param headBytes What the names of the columns take of the answer. */
export function collectRows(
  found: Iterable<unknown[]>,
  headBytes: number,
  { maxRows, maxBytes }: RowLimits,
): CollectedRows {
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

/** A text with at most so many characters; what is left out is counted. */
export function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
}
