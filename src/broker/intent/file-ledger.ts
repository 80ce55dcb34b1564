import type { Db } from '../../db/open-database.ts';
import type { FileState, ToolOutput, WrittenFile } from '../../tools/define/tool.ts';
import { publishedHash } from '../../tools/files/path-state.ts';
import type { FileEffect } from './record.ts';

/** A file that a run wrote, as capsules and people see it. */
export interface RunFile extends Omit<FileState, 'sha256'> {
  /** Null if the file was too large to be hashed. */
  readonly sha256: string | null;
  readonly subtaskId: string;
}

/** The content of a file that a run has just read or written. Its `sha256` is `absent` if the run removed the file. */
export interface NotedFile extends WrittenFile {
  readonly runId: string;
  readonly subtaskId: string;
  readonly wasWritten: boolean;
  /** The hash of the content that was replaced, or `absent`; undefined if it is not known. */
  readonly before?: string | undefined;
}

/** The files that a tool read, wrote and removed. */
export function notedFiles(
  { read = [], wrote = [], removed = [] }: Partial<ToolOutput>,
  about: Pick<NotedFile, 'runId' | 'subtaskId'>,
  effects: readonly FileEffect[],
): readonly NotedFile[] {
  const beforeOf = ({ path }: WrittenFile) => effects.find((one) => one.path === path)?.before;
  return [
    ...read.map((file) => ({ ...file, ...about, wasWritten: false })),
    ...wrote.map((file) => ({ ...file, ...about, wasWritten: true, before: beforeOf(file) })),
    ...removed.map((path) => ({ path, ...about, sha256: 'absent', bytes: 0, wasWritten: false })),
  ];
}

export type FileLedger = ReturnType<typeof createFileLedger>;

/**
 * Records the content of files that a run has read or written, and the content that Capstan wrote last: for every run if
 * Capstan created the file; only for the run that wrote it if the file was a person's.
 */
export function createFileLedger(db: Db) {
  const note = db.prepare(`
    INSERT INTO run_files (run_id, path, sha256, bytes, was_written, subtask_id)
    VALUES (@runId, @path, @sha256, @bytes, @wasWritten, @subtaskId)
    ON CONFLICT (run_id, path) DO UPDATE SET sha256 = excluded.sha256, bytes = excluded.bytes,
      was_written = CASE WHEN excluded.sha256 = 'absent' THEN 0 ELSE max(was_written, excluded.was_written) END,
      subtask_id = CASE WHEN excluded.was_written >= was_written THEN excluded.subtask_id ELSE subtask_id END`);
  const known = db
    .prepare<[string, string], string>('SELECT sha256 FROM run_files WHERE run_id = ? AND path = ?')
    .pluck();
  const rememberWritten = db.prepare(
    'INSERT OR REPLACE INTO written_files (path, sha256, run_id) VALUES (?, ?, ?)',
  );
  const forgetWritten = db.prepare('DELETE FROM written_files WHERE path = ?');
  const last = db
    .prepare<[string, string | null], string>(
      'SELECT sha256 FROM written_files WHERE path = ? AND (run_id IS NULL OR run_id = ?)',
    )
    .pluck();
  const isCapstans = (path: string, sha256: string) => last.get(path, null) === sha256;
  /** The owner of a written file: null for Capstan, or the run that may replace it; undefined if it has none or keeps its own. */
  const ownerOfWritten = ({ path, sha256, before, runId }: NotedFile) => {
    if (before === 'absent' || isCapstans(path, before ?? sha256)) return null;
    return before === sha256 ? undefined : runId;
  };
  const ownerOfMoved = (movedFrom: string, { sha256, runId }: NotedFile) => {
    if (isCapstans(movedFrom, sha256)) return null;
    return last.get(movedFrom, runId) === sha256 ? runId : undefined;
  };
  const rememberOwner = (file: NotedFile) => {
    const { path, movedFrom, sha256 } = file;
    const owner = movedFrom === undefined ? ownerOfWritten(file) : ownerOfMoved(movedFrom, file);
    if (owner !== undefined) rememberWritten.run(path, sha256, owner);
  };
  const written = db.prepare<[string], FileState & { subtaskId: string }>(`
    SELECT path, sha256, bytes, subtask_id AS subtaskId FROM run_files
    WHERE run_id = ? AND was_written = 1 ORDER BY path`);

  const made = db.prepare<[{ runId: string }], FileState & { subtaskId: string }>(`
    WITH changes AS (SELECT * FROM file_changes WHERE run_id = @runId),
    made AS (
      SELECT path, after AS sha256, coalesce(after_bytes, 0) AS bytes, subtask_id AS subtaskId, intent_id AS at FROM changes
      WHERE kind = 'program' AND undone_at IS NULL AND (length(after) = 64 OR after LIKE 'stat:%')
      UNION ALL
      SELECT path, sha256, run_files.bytes, run_files.subtask_id, coalesce(intent_id, '') FROM run_files
      LEFT JOIN changes USING (path)
      WHERE run_files.run_id = @runId AND was_written = 1 AND undone_at IS NULL AND kind IS NOT 'program')
    SELECT path, sha256, bytes, subtaskId FROM made ORDER BY at DESC, path`);
  const published = (file: FileState & { subtaskId: string }): RunFile => ({
    ...file,
    sha256: publishedHash(file.sha256),
  });

  const seen = new Map<string, string>();
  const keyOf = (runId: string, path: string) => `${runId} ${path}`;

  return {
    /** The hash that this run last read or wrote at this path. */
    knownTo: (runId: string, path: string) =>
      seen.get(keyOf(runId, path)) ?? known.get(runId, path),
    /** The hash that Capstan last wrote at this path, and that this run may replace without a question. */
    lastWritten: (runId: string, path: string) => last.get(path, runId),
    /** Effective immediately; `save` writes the row, inside a transaction of the journal. */
    note: ({ runId, path, sha256 }: NotedFile) => void seen.set(keyOf(runId, path), sha256),
    save(file: NotedFile): void {
      const { runId, path, sha256, bytes, wasWritten, subtaskId } = file;
      note.run({ runId, path, sha256, bytes, subtaskId, wasWritten: wasWritten ? 1 : 0 });
      if (sha256 === 'absent') forgetWritten.run(path);
      if (wasWritten) rememberOwner(file);
    },
    /** Files that tools of the run wrote, by path. */
    writtenBy: (runId: string): readonly RunFile[] => written.all(runId).map(published),
    /**
     * Files that tools of the run wrote, and those that appeared or changed while its programs ran; newest first. Without
     * those that were removed or undone.
     */
    madeBy: (runId: string): readonly RunFile[] => made.all({ runId }).map(published),
  };
}
