import type { ChangeWatch } from '../../db/changes/watch-changes.ts';
import type { Db } from '../../db/open-database.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';

/** A request of a person to end a run permanently, or to park it. */
type StopAction = 'cancel' | 'stop';

/** Requests to end or park a run that another process may own. They survive both processes. Plain statements. */
export function createCancelRequests(db: Db, now: () => Date, { redact }: Redactor) {
  const insert = db.prepare(`
    INSERT INTO cancel_requests (run_id, requested_by, requested_at, action) VALUES (@runId, @by, @at, @action)
    ON CONFLICT (run_id) DO UPDATE
      SET requested_by = excluded.requested_by, requested_at = excluded.requested_at, action = excluded.action
      WHERE action = 'stop' AND excluded.action = 'cancel'`);
  const remove = db.prepare('DELETE FROM cancel_requests WHERE run_id = ?');
  const find = db
    .prepare<[string], StopAction>('SELECT action FROM cancel_requests WHERE run_id = ?')
    .pluck();
  return {
    /** False if there already is one: a request to cancel replaces one to stop. */
    add: (runId: string, by: string, action: StopAction) =>
      insert.run({ runId, by: redact(by), at: now().toISOString(), action }).changes === 1,
    of: (runId: string) => find.get(runId),
    /** The run is resumed. */
    discard: (runId: string) => void remove.run(runId),
  };
}

interface Watched {
  readonly changes: ChangeWatch;
  readonly cancelRequests: ReturnType<typeof createCancelRequests>;
}

/**
 * Calls back when somebody asks to cancel or stop the run, in any process, once for each action: within
 * 50 ms, or immediately if it was requested before. Returns the function that ends the watch.
 */
export function watchCancel(
  runId: string,
  { changes, cancelRequests }: Watched,
  onRequest: (action: StopAction) => void,
): () => void {
  let last: StopAction | undefined;
  const look = (hasChanged: boolean) => {
    const action = hasChanged ? cancelRequests.of(runId) : undefined;
    if (action === undefined || action === last) return;
    last = action;
    onRequest(action);
  };
  const stop = changes.listen(look);
  look(true);
  return stop;
}
