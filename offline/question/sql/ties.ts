import { TaskError } from '../../task-error.ts';
import type { SqlAnswer } from '../table/load-tables.ts';
import type { Composed } from './clauses.ts';

/** Maximum number of rows that share the first place. */
const MAX_FIRST = 20;

/** The statement with another limit. */
const withLimit = (sql: string, limit: number): string =>
  sql.replace(/LIMIT \d+(?=(?: OFFSET \d+)?$)/, `LIMIT ${limit}`);

/** The statement with more rows than asked for, to find ties. */
export const oneMore = ({ sql, limit, goesBy }: Composed): string =>
  limit === undefined || goesBy === undefined
    ? sql
    : withLimit(sql, limit === 1 ? MAX_FIRST : limit + 1);

/** The rows that were asked for and all that share the first place, the statement that gives them, and a note. @throws TaskError `NOT_FOUND` without a value. */
export function withoutTie<T extends Composed>(
  answer: SqlAnswer,
  composed: T,
): { readonly answer: SqlAnswer; readonly composed: T; readonly tie?: string } {
  const { limit, goesBy, columns, sql } = composed;
  const at = columns?.findIndex(({ name }) => name === goesBy) ?? -1;
  if (limit === undefined || answer.rows.length === 0) return { answer, composed };
  const first = answer.rows[0]?.[at];
  assertFilled(first, goesBy);
  if (answer.rows.length <= limit) return { answer, composed };
  const isEqual = (row: readonly unknown[]) => row[at] === first;
  const shared = limit === 1 && at >= 0 ? answer.rows.filter(isEqual) : [];
  const total_rows = shared.length;
  if (total_rows > 1) {
    const more = total_rows < MAX_FIRST ? '' : ' or more';
    return {
      answer: { ...answer, rows: shared, total_rows },
      composed: { ...composed, sql: withLimit(sql, total_rows) },
      tie: `${total_rows}${more} share the first place: their ${goesBy} is ${String(shared[0]?.[at])}.`,
    };
  }
  const rows = answer.rows.slice(0, limit);
  const [last, next] = [rows.at(-1)?.[at], answer.rows[limit]?.[at]];
  const isTie = at >= 0 && last !== null && last === next;
  return {
    answer: { ...answer, rows, total_rows: limit },
    composed,
    ...(isTie && {
      tie: `Others have the same ${goesBy} (${String(last)}) as the last one shown.`,
    }),
  };
}

function assertFilled(first: unknown, goesBy: string | undefined): void {
  if (first === null || first === '')
    throw new TaskError('NOT_FOUND', `No row that fits has a value for ${goesBy}.`);
}
