import type { Column, Table } from './table/schema.ts';
import type { Understood } from './understand.ts';

/** Whether a reading shows rows of a file, and only selects them by values of other files. */
export const isOfFile = ({ table, query }: Understood, path: string | undefined): boolean =>
  table.path === path &&
  query.where.every(({ column, value, sql }) =>
    column?.link
      ? value !== undefined
      : table.columns.every((one) => !one.link || !sql.includes(one.sql)),
  );

/** The readings of joined files, if they show names instead of keys. */
export const withNames = (chosen: readonly Understood[] | undefined) =>
  chosen?.some(showsKey) ? undefined : chosen;

/** Whether a list of its values may have more: `beds with no beans` of a harvest, with a list of beds. */
export const mayLack = (
  { query: { subject }, composed, table }: Understood,
  tables: readonly Table[],
): boolean =>
  composed.sql.includes(' NOT IN (SELECT') &&
  subject !== undefined &&
  subject !== 'rows' &&
  tables.some(
    ({ path, columns, nouns }) =>
      path !== table.path &&
      ([subject.words, ...(subject.column?.words ?? [])].some((word) => nouns.has(word)) ||
        columns.some((own) => hasMore(own, subject.column))),
  );

const hasMore = ({ values }: Column, own: Column | undefined): boolean =>
  own !== undefined &&
  values.size > own.values.size &&
  [...own.values].every((one) => values.has(one));

/** Whether an answer shows the key of another file, whose row may have a name: `owner_id`. */
export const showsKey = ({ query: { subject, groups }, table }: Understood): boolean =>
  [...groups, ...(subject && subject !== 'rows' ? [subject] : [])].some(
    ({ column }) =>
      column !== undefined &&
      column !== table.columns[0] &&
      /^(?:id|no|nr|number|code)$/.test(column.words.at(-1) ?? ''),
  );
