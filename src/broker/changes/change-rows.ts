import type { Db } from '../../db/open-database.ts';
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
  /** The run was made by a version that did not record changes. */
  | 'not_recorded';

export interface ChangeGap {
  readonly intentId: string;
  readonly reason: GapReason;
}

/** The rows of changed files. Writing functions are called inside a transaction of the journal. */
export interface ChangeRows {
  find(runId: string, path: string): FileChange | undefined;
  /** By path. */
  of(runId: string): readonly FileChange[];
  put(row: FileChange): void;
  remove(row: Pick<FileChange, 'runId' | 'path'>): void;
  /** Bytes of content that the run keeps; equal content counts once. */
  keptBytes(runId: string): number;
  /** Whether a row of the run needs the content. */
  needs(runId: string, sha256: string): boolean;
  /** Whether another run left this state at the path, and had not ended at the time `since` (ISO 8601). */
  isOfAnotherRun(row: Pick<FileChange, 'runId' | 'path' | 'after'>, since: string): boolean;
  putGap(runId: string, gap: ChangeGap): void;
  removeGap(runId: string, intentId: string): void;
  gapsOf(runId: string): readonly ChangeGap[];
}

export function createChangeRows(db: Db): ChangeRows {
  const find = db.prepare<[string, string], FileChange>(`${SELECT} WHERE run_id = ? AND path = ?`);
  const ofRun = db.prepare<[string], FileChange>(`${SELECT} WHERE run_id = ? ORDER BY path`);
  const put = db.prepare(`
    INSERT OR REPLACE INTO file_changes (${Object.values(COLUMNS).join(', ')})
    VALUES (${Object.keys(COLUMNS)
      .map((name) => `@${name}`)
      .join(', ')})`);
  const remove = db.prepare('DELETE FROM file_changes WHERE run_id = @runId AND path = @path');
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
      AND coalesce(problem, '') NOT IN ('appeared_during_command', 'not_kept')
      AND coalesce(runs.ended_at, @since) >= @since LIMIT 1`);
  const putGap = db.prepare(
    'INSERT OR REPLACE INTO change_gaps (run_id, intent_id, reason) VALUES (?, ?, ?)',
  );
  const removeGap = db.prepare('DELETE FROM change_gaps WHERE run_id = ? AND intent_id = ?');
  const gaps = db.prepare<[string], ChangeGap>(
    'SELECT intent_id AS intentId, reason FROM change_gaps WHERE run_id = ? ORDER BY intent_id',
  );
  return {
    find: (runId, path) => find.get(runId, path),
    of: (runId) => ofRun.all(runId),
    put: (row) => void put.run(row),
    remove: ({ runId, path }) => void remove.run({ runId, path }),
    keptBytes: (runId) => kept.get(runId) ?? 0,
    needs: (runId, sha256) => needs.get(runId, sha256) !== undefined,
    isOfAnotherRun: ({ runId, path, after }, since) =>
      another.get({ runId, path, after, since }) !== undefined,
    putGap: (runId, { intentId, reason }) => void putGap.run(runId, intentId, reason),
    removeGap: (runId, intentId) => void removeGap.run(runId, intentId),
    gapsOf: (runId) => gaps.all(runId),
  };
}

const COLUMNS = {
  runId: 'run_id',
  path: 'path',
  kind: 'kind',
  before: 'before',
  beforeMode: 'before_mode',
  keptBytes: 'kept_bytes',
  problem: 'problem',
  planned: 'planned',
  after: 'after',
  afterMode: 'after_mode',
  afterBytes: 'after_bytes',
  subtaskId: 'subtask_id',
  intentId: 'intent_id',
  undoneAt: 'undone_at',
} as const satisfies Record<keyof FileChange, string>;

const SELECT = `SELECT ${Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(', ')} FROM file_changes`;
