import type { Db } from '../../db/open-database.ts';
import { tableOf, withJson } from '../../db/sql/table.ts';

/** One undo or redo of a run's changes. */
export interface UndoRow {
  readonly id: string;
  readonly runId: string;
  readonly action: 'undo' | 'redo';
  /** `person:<surface>`. */
  readonly doneBy: string;
  /** The process: see `process-identity.ts`. */
  readonly owner: string;
  /** The steps by file; after the end, with their results. */
  readonly files: readonly UndoneFile[];
  readonly startedAt: string;
}

export interface UndoneFile {
  /** Relative to the workspace. */
  readonly path: string;
}

const undos = tableOf('undos', 'id run_id action done_by owner files started_at');

/** The journal of undos. Functions that write are called inside a transaction of the journal. */
export function createUndoRows(db: Db) {
  const insert = db.prepare(undos.insert);
  const end = db.prepare('UPDATE undos SET files = @files, ended_at = @endedAt WHERE id = @id');
  const open = db.prepare<[string], object>(
    `${undos.select} WHERE run_id = ? AND ended_at IS NULL ORDER BY id`,
  );
  return {
    begin: (row: UndoRow) => void insert.run({ ...row, files: JSON.stringify(row.files) }),
    end: (id: string, files: readonly UndoneFile[], endedAt: string) =>
      void end.run({ id, files: JSON.stringify(files), endedAt }),
    /** Undos that have not ended: in progress or interrupted. */
    openOf: (runId: string): UndoRow[] =>
      open.all(runId).map((row) => withJson<UndoRow>(row, ['files'])),
  };
}
