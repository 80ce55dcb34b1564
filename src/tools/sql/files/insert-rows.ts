import type { Database, Statement } from 'better-sqlite3';

/** Inserts rows of one width, several with each statement. */
export interface RowInserter {
  /** Adds the values of a row, one after the other; `end` closes the row. */
  push(value: unknown): void;
  endRow(): void;
  flush(): void;
}

/** Rows of one INSERT. */
const BATCH_ROWS = 8;
/** Fewer than SQLite's limit for one statement. */
const MAX_VARIABLES = 30_000;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** @param table With its schema, quoted. */
export function createInserter(
  db: Database,
  table: string,
  columns: readonly string[],
): RowInserter {
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
    push: (value) => void batch.push(value),
    endRow() {
      if (batch.length >= full) flush();
    },
    flush,
  };
}
