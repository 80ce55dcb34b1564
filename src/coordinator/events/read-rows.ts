import { createAudit } from '../../broker/audit/audit.ts';
import { createFileLedger } from '../../broker/intent/file-ledger.ts';
import { createJournal } from '../../broker/intent/journal.ts';
import { openForReading } from '../../db/open-database.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import type { Stores } from '../store/open-stores.ts';
import { createRunStore } from '../store/runs/run-store.ts';
import { createSubtaskStore } from '../store/subtasks/subtask-store.ts';

export type Rows = Pick<Stores, 'runs' | 'subtasks' | 'journal' | 'files' | 'close'>;

/**
 * Opens a database to read its runs. Writes nothing, and recovers no run whose process died.
 *
 * @throws AppError `DATABASE_NEWER`, `DATABASE_UNREADABLE`.
 */
export function readRows(path: string): Rows {
  const db = openForReading(path);
  const now = () => new Date();
  return {
    runs: createRunStore(db, noSecrets),
    subtasks: createSubtaskStore(db, now, noSecrets),
    journal: createJournal(db, createAudit(db, now, noSecrets), noSecrets),
    files: createFileLedger(db),
    close: () => db.close(),
  };
}
