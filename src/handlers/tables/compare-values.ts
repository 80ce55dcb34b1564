import { weekdayNumber } from './time-part.ts';

export type Value = string | number | null;

/** Orders values: numbers by size, text by code units, weekdays from Monday; nothing comes last either way. */
export function compareValues(
  a: Value,
  b: Value,
  direction: 'ascending' | 'descending',
  asText = false,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = asText ? compareText(String(a), String(b)) : compareTyped(a, b);
  return direction === 'ascending' ? order : -order;
}

function compareTyped(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const days = [weekdayNumber(String(a)), weekdayNumber(String(b))];
  if (days[0] !== undefined && days[1] !== undefined) return days[0] - days[1];
  return compareText(String(a), String(b));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
