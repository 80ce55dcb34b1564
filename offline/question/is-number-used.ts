import type { Query } from './sql/query.ts';

/** Factors between units: `0.3 s` is compared as 300 ms, 20 kg as 44.1 lb. */
const scales =
  '1|7|24|60|100|1000|1024|1440|3600|60000|1e6|1048576|3.6e6|1e9|0.45359237|453.59237|1.609344'
    .split('|')
    .map(Number);

/** Whether a statement uses a number, possibly in another unit. */
export function isNumberUsed(value: number, { decimals }: Query, sql: string): boolean {
  if (decimals === value) return true;
  // `3 pm`, `the last 2 weeks`
  if (sql.includes(`'${value + 12}:`) || sql.includes(`'-${7 * value} days'`)) return true;
  const numbers = (sql.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  return numbers.some((one) =>
    scales.some((scale) => near(one, value * scale) || near(one * scale, value)),
  );
}

const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
