import type { Db } from '../../db/open-database.ts';
import type { FileState, WrittenFile } from '../../tools/define/tool.ts';
import { publishedHash } from '../../tools/files/path-state.ts';

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
}

export type FileLedger = ReturnType<typeof createFileLedger>;

/** Records the content of files that a run has read or written, and the content that Capstan wrote last. */
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
    'INSERT OR REPLACE INTO written_files (path, sha256) VALUES (@path, @sha256)',
  );
  const forgetWritten = db.prepare('DELETE FROM written_files WHERE path = ?');
  const last = db
    .prepare<[string], string>('SELECT sha256 FROM written_files WHERE path = ?')
    .pluck();
  const written = db.prepare<[string], FileState & { subtaskId: string }>(`
    SELECT path, sha256, bytes, subtask_id AS subtaskId FROM run_files
    WHERE run_id = ? AND was_written = 1 ORDER BY path`);

  const seen = new Map<string, string>();
  const keyOf = (runId: string, path: string) => `${runId} ${path}`;

  return {
    /** The hash that this run last read or wrote at this path. */
    knownTo: (runId: string, path: string) =>
      seen.get(keyOf(runId, path)) ?? known.get(runId, path),
    /** The hash that any run last wrote at this path. */
    lastWritten: (path: string) => last.get(path),
    /** Effective immediately; `save` writes the row, inside a transaction of the journal. */
    note: ({ runId, path, sha256 }: NotedFile) => void seen.set(keyOf(runId, path), sha256),
    save({ movedFrom, ...file }: NotedFile): void {
      const { path, sha256, wasWritten } = file;
      note.run({ ...file, wasWritten: wasWritten ? 1 : 0 });
      if (sha256 === 'absent') forgetWritten.run(path);
      // A file of the user remains the user's after a move.
      const isOwn = movedFrom === undefined || last.get(movedFrom) === sha256;
      if (wasWritten && isOwn) rememberWritten.run({ path, sha256 });
    },
    /** Files that the run wrote, by path. */
    writtenBy: (runId: string): readonly RunFile[] =>
      written.all(runId).map((file) => ({ ...file, sha256: publishedHash(file.sha256) })),
  };
}
