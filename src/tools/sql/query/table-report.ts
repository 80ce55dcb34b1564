import type { LoadedTable } from '../files/load-files.ts';

/** What was detected about the files of a table, and its unusual cells and rows. */
export interface TableReport extends Readonly<Record<string, unknown>> {
  readonly rows: number;
  /** Type by column. */
  readonly columns: Readonly<Record<string, string>>;
}

const MAX_COLUMNS = 200;

/** The part of a result about files; empty without files. */
export const tableReport = (
  tables: readonly LoadedTable[],
): { readonly tables?: Readonly<Record<string, TableReport>> } =>
  tables.length === 0
    ? {}
    : { tables: Object.fromEntries(tables.map((table) => [table.name, reportOf(table)])) };

function reportOf({ about, rows, columns, malformed }: LoadedTable): TableReport {
  const shown = columns.slice(0, MAX_COLUMNS);
  const odd = shown.filter(({ exceptions }) => exceptions.count > 0);
  return {
    ...about,
    rows,
    columns: Object.fromEntries(shown.map(({ name, type }) => [name, type])),
    ...(shown.length < columns.length && { more_columns: columns.length - shown.length }),
    ...(odd.length > 0 && {
      exceptions: Object.fromEntries(odd.map(({ name, exceptions }) => [name, exceptions])),
    }),
    ...(malformed.count > 0 && { malformed }),
  };
}
