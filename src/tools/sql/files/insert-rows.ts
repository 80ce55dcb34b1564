import type { Database, Statement } from 'better-sqlite3';

export type RowInserter = ReturnType<typeof createInserter>;

/** Rows of one INSERT. */
const BATCH_ROWS = 8;
/** Below SQLite's limit for one statement. */
const MAX_VARIABLES = 30_000;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Inserts rows, several with each statement. @param table With its schema, quoted. */
export function createInserter(db: Database, table: string, columns: readonly string[]) {
  const names = columns.map(quoteName).join(',');
  const row = `(${columns.map(() => '?').join(',')})`;
  const prepare = (rows: number) =>
    db.prepare(`INSERT INTO ${table} (${names}) VALUES ${Array(rows).fill(row).join(',')}`);
  const full = columns.length * BATCH_ROWS;
  let one: Statement | undefined;
  let many: Statement | undefined;
  let batch: unknown[] = [];
  const flush = () => {
    const values = batch;
    batch = [];
    if (values.length === full && full < MAX_VARIABLES) {
      many ??= prepare(BATCH_ROWS);
      many.run(values);
      return;
    }
    for (let at = 0; at < values.length; at += columns.length) {
      one ??= prepare(1);
      one.run(values.slice(at, at + columns.length));
    }
  };
  return {
    /** Adds the next value of a row. */
    push: (value: unknown) => void batch.push(value),
    endRow(): void {
      if (batch.length >= full) flush();
    },
    flush,
  };
}
