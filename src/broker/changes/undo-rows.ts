import type { Db } from '../../db/open-database.ts';

/** One undo of a run's changes, or the taking back of one. */
export interface UndoRow {
  readonly id: string;
  readonly runId: string;
  readonly action: 'undo' | 'redo';
  /** `person:<surface>`. */
  readonly doneBy: string;
  /** What is done to which file, and from the end on with which result. */
  readonly files: readonly object[];
  readonly startedAt: string;
}

/** The journal of undos. To be called inside a transaction of the journal. */
export function createUndoRows(db: Db) {
  const insert = db.prepare(`
    INSERT INTO undos (id, run_id, action, done_by, files, started_at)
    VALUES (@id, @runId, @action, @doneBy, @files, @startedAt)`);
  const end = db.prepare('UPDATE undos SET files = @files, ended_at = @endedAt WHERE id = @id');
  return {
    begin: (row: UndoRow) => void insert.run({ ...row, files: JSON.stringify(row.files) }),
    end: (id: string, files: readonly object[], endedAt: string) =>
      void end.run({ id, files: JSON.stringify(files), endedAt }),
  };
}
