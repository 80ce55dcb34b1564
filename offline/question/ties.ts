import type { Composed } from './sql/clauses.ts';
import type { SqlAnswer } from './table/load-tables.ts';

/** The statement with one more row, to see whether that row is equal to the last one. */
export const oneMore = ({ sql, limit, goesBy }: Composed): string =>
  limit === undefined || goesBy === undefined
    ? sql
    : sql.replace(/LIMIT \d+(?=(?: OFFSET \d+)?$)/, `LIMIT ${limit + 1}`);

/** The rows that were asked for, and a note if the next one is equal to the last. */
export function withoutTie(
  answer: SqlAnswer,
  { limit, goesBy, columns }: Composed,
): { readonly answer: SqlAnswer; readonly tie: string | undefined } {
  if (limit === undefined || answer.rows.length <= limit) return { answer, tie: undefined };
  const rows = answer.rows.slice(0, limit);
  const at = columns?.findIndex(({ name }) => name === goesBy) ?? -1;
  const [last, next] = [rows.at(-1)?.[at], answer.rows[limit]?.[at]];
  const isTie = at >= 0 && last !== null && last === next;
  const tie = `Others have the same ${goesBy} (${String(last)}) as the last one shown.`;
  return { answer: { ...answer, rows, total_rows: limit }, tie: isTie ? tie : undefined };
}
