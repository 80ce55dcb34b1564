import { createAudit } from '../broker/audit/audit.ts';
import { createFileLedger } from '../broker/intent/file-ledger.ts';
import { createJournal } from '../broker/intent/journal.ts';
import { openForReading } from '../db/open-database.ts';
import type { Stores } from './open-stores.ts';
import { createRunStore } from './run-store.ts';
import { createSubtaskStore } from './subtask-store.ts';

export type Rows = Pick<Stores, 'runs' | 'subtasks' | 'journal' | 'files' | 'close'>;

/**
 * Opens a database to read its runs: no row is changed, no dead run is taken up.
 *
 * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`.
 */
export function readRows(path: string): Rows {
  const db = openForReading(path);
  return {
    runs: createRunStore(db),
    subtasks: createSubtaskStore(db),
    journal: createJournal(db, createAudit(db)),
    files: createFileLedger(db),
    close: () => db.close(),
  };
}
