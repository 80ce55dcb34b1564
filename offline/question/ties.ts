import type { Composed } from './sql/clauses.ts';
import type { SqlAnswer } from './table/load-tables.ts';

/** Maximum number of rows that share the first place. */
const MAX_FIRST = 20;

/** The statement with more rows than asked for, to find ties. */
export const oneMore = ({ sql, limit, goesBy }: Composed): string =>
  limit === undefined || goesBy === undefined
    ? sql
    : sql.replace(/LIMIT \d+(?=(?: OFFSET \d+)?$)/, `LIMIT ${limit === 1 ? MAX_FIRST : limit + 1}`);

/** The rows that were asked for, all that share the first place, and a note about a tie. */
export function withoutTie(
  answer: SqlAnswer,
  { limit, goesBy, columns }: Composed,
): { readonly answer: SqlAnswer; readonly tie: string | undefined } {
  if (limit === undefined || answer.rows.length <= limit) return { answer, tie: undefined };
  const at = columns?.findIndex(({ name }) => name === goesBy) ?? -1;
  const isEqual = (row: readonly unknown[]) => row[at] !== null && row[at] === answer.rows[0]?.[at];
  const shared = limit === 1 && at >= 0 ? answer.rows.filter(isEqual) : [];
  if (shared.length > 1) {
    const note = `${shared.length} share the first place: their ${goesBy} is ${String(shared[0]?.[at])}.`;
    return { answer: { ...answer, rows: shared, total_rows: shared.length }, tie: note };
  }
  const rows = answer.rows.slice(0, limit);
  const [last, next] = [rows.at(-1)?.[at], answer.rows[limit]?.[at]];
  const isTie = at >= 0 && last !== null && last === next;
  const tie = `Others have the same ${goesBy} (${String(last)}) as the last one shown.`;
  return { answer: { ...answer, rows, total_rows: limit }, tie: isTie ? tie : undefined };
}
