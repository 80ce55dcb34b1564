import type { Db } from '../../db/open-database.ts';
import { tableOf, withJson } from '../../db/sql/table.ts';
import { oncePer } from '../../platform/once.ts';
import type { FileChange } from './file-change.ts';

/** Why the changes of one operation are not all known. */
export type GapReason =
  | 'interrupted'
  | 'too_many_files'
  | 'too_many_changes'
  /** The command named ignored files that were not compared. */
  | 'ignored_files'
  /** The command named more or longer patterns than the limit. */
  | 'pattern_limit'
  /** A file changed whose name is not UTF-8. */
  | 'name_not_utf8';

export interface ChangeGap {
  readonly intentId: string;
  readonly reason: GapReason;
}

const changes = tableOf(
  'file_changes',
  `run_id path kind before before_mode kept_bytes problem planned after after_mode after_bytes subtask_id intent_id
  undone_at`,
);

export type ChangeRows = ReturnType<typeof createChangeRows>;

/** Functions that write are called inside a transaction of the journal. */
export const createChangeRows = oncePer((db: Db) => {
  type Row = Pick<FileChange, 'runId' | 'path'>;
  const find = db.prepare<[Row], FileChange>(
    `${changes.select} WHERE run_id = @runId AND path = @path`,
  );
  const ofRun = db.prepare<[string], FileChange>(
    `${changes.select} WHERE run_id = ? ORDER BY path`,
  );
  const put = db.prepare<[FileChange]>(changes.replace);
  const remove = db.prepare<[Row]>(
    'DELETE FROM file_changes WHERE run_id = @runId AND path = @path',
  );
  const kept = db
    .prepare<[string], number>(`
      SELECT coalesce(sum(kept_bytes), 0) FROM (
        SELECT DISTINCT before, kept_bytes FROM file_changes WHERE run_id = ? AND kept_bytes IS NOT NULL)`)
    .pluck();
  const needs = db.prepare<[string, string]>(
    'SELECT 1 FROM file_changes WHERE run_id = ? AND before = ? AND kept_bytes IS NOT NULL LIMIT 1',
  );
  const another = db.prepare<
    [Pick<FileChange, 'runId' | 'path' | 'after'> & { readonly since: string }]
  >(`
    SELECT 1 FROM file_changes JOIN runs ON runs.id = run_id
    WHERE path = @path AND run_id <> @runId AND (after = @after OR planned = @after)
      AND coalesce(problem, '') NOT IN ('appeared_during_command', 'changed_during_command', 'not_kept')
      AND coalesce(runs.ended_at, @since) >= @since LIMIT 1`);
  const putGap = db.prepare<[string, string, GapReason]>(
    'INSERT OR REPLACE INTO change_gaps (run_id, intent_id, reason) VALUES (?, ?, ?)',
  );
  const removeGap = db.prepare<[string, string]>(
    'DELETE FROM change_gaps WHERE run_id = ? AND intent_id = ?',
  );
  const gaps = db.prepare<[string], ChangeGap>(
    'SELECT intent_id AS intentId, reason FROM change_gaps WHERE run_id = ? ORDER BY intent_id',
  );
  return {
    find: (runId: string, path: string) => find.get({ runId, path }),
    /** By path. */
    of: (runId: string): readonly FileChange[] => ofRun.all(runId),
    put: (row: FileChange) => void put.run(row),
    remove: ({ runId, path }: Row) => void remove.run({ runId, path }),
    /** Bytes of content that the run keeps; equal content counts once. */
    keptBytes: (runId: string) => kept.get(runId) ?? 0,
    needs: (runId: string, sha256: string) => needs.get(runId, sha256) !== undefined,
    /** Whether another run left this state at the path, and had not ended at the time `since` (ISO 8601). */
    isOfAnotherRun: ({ runId, path, after }: FileChange, since: string) =>
      another.get({ runId, path, after, since }) !== undefined,
    /** Undefined: the changes of the operation are all known. */
    setGap(runId: string, intentId: string, reason: GapReason | undefined): void {
      if (reason === undefined) removeGap.run(runId, intentId);
      else putGap.run(runId, intentId, reason);
    },
    gapsOf: (runId: string): readonly ChangeGap[] => gaps.all(runId),
  };
});

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
