import type { Db } from '../db/open-database.ts';
import type { ChangeWatch } from '../db/watch-changes.ts';
import type { Redactor } from '../policy/redact.ts';

/** Requests to cancel a run that another process may own. They outlive both processes. */
export interface CancelRequests {
  /** False if there is one already. A plain statement, to be called inside the journal's transactions. */
  add(runId: string, by: string): boolean;
  has(runId: string): boolean;
  /** Discards the request: the run is resumed. A plain statement. */
  discard(runId: string): void;
}

export function createCancelRequests(
  db: Db,
  now: () => Date,
  { redact }: Redactor,
): CancelRequests {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO cancel_requests (run_id, requested_by, requested_at) VALUES (?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM cancel_requests WHERE run_id = ?');
  const find = db.prepare<[string]>('SELECT 1 FROM cancel_requests WHERE run_id = ?');
  return {
    add: (runId, by) => insert.run(runId, redact(by), now().toISOString()).changes === 1,
    has: (runId) => find.get(runId) !== undefined,
    discard: (runId) => void remove.run(runId),
  };
}

export interface WatchCancelParts {
  readonly changes: ChangeWatch;
  readonly cancelRequests: CancelRequests;
}

/**
 * Calls back once when somebody asks to cancel the run, in this process or another: within 50 ms, and at once if it was
 * requested before. Returns the function that ends the watch.
 */
export function watchCancel(
  runId: string,
  { changes, cancelRequests }: WatchCancelParts,
  onCancel: () => void,
): () => void {
  const look = (hasChanged: boolean) => {
    if (!hasChanged || !cancelRequests.has(runId)) return;
    stop();
    onCancel();
  };
  const stop = changes.listen(look);
  look(true);
  return stop;
}
