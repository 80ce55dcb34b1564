import type { Column, Row } from './table.ts';

/** `day` where each row is one: the only column with times holds dates without a clock, each once. */
export function dayNoun(columns: readonly Column[], rows: readonly Row[]): string[] {
  const times = columns.filter(({ type }) => type === 'time');
  const [time, second] = times;
  if (!time || second) return [];
  const seen = new Set(rows.map((row) => row[time.index]));
  const areDates = rows.every(
    (row) => typeof row[time.index] === 'string' && !String(row[time.index]).includes(':'),
  );
  return areDates && seen.size === rows.length ? ['day'] : [];
}
