import { plainText } from '../language/escape.ts';
import { TaskError } from '../task-error.ts';
import { isMeasure, type Query } from './sql/query.ts';
import type { Table } from './table/schema.ts';

/** Refuses to calculate with a column that also has text, or with running totals. @throws TaskError `NOT_UNDERSTOOD` */
export function assertNumbers(
  { measures, rank, definitions }: Query,
  { nouns, columns }: Table,
  sql: string,
): void {
  const isSum = [...measures, rank?.by].some((one) => isMeasure(one) && one.fn === 'sum');
  if (isSum && (nouns.has('meter') || nouns.has('odometer')))
    throw new TaskError(
      'NOT_UNDERSTOOD',
      'Meter readings must not be added up. Ask for the "difference between the highest and the lowest".',
    );
  const values = [...measures, ...definitions.values()].flatMap((one) =>
    [one.of, 'per' in one ? one.per : undefined].flatMap((of) => of?.column ?? []),
  );
  const used = sql.slice(sql.indexOf('\nFROM '));
  const column =
    values.find(({ odd }) => odd !== undefined) ??
    columns.find((one) => one.odd !== undefined && used.includes(one.sql));
  if (!column) return;
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `"${column.name}" also has values that are not numbers, such as ${JSON.stringify(plainText(column.odd ?? ''))}. Correct them, or use SQL.`,
  );
}
