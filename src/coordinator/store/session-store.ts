import type { Reason, RunStatus } from '../../contract/status.ts';
import type { Db } from '../../db/open-database.ts';
import { selected } from '../../db/sql/table.ts';
import { IS_TASK } from './runs/run-store.ts';

export interface SessionSummary {
  readonly id: string;
  /** The reason of its newest run, like `status`. */
  readonly workspace: string;
  readonly status: RunStatus;
  /** The task of its first run. */
  readonly task: string;
  readonly runs: number;
  readonly createdAt: string;
  /** When its newest run started. */
  readonly newestAt: string;
}

/** A run of a session, as the library shows it. */
export interface SessionRun {
  readonly id: string;
  readonly workspace: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly reason: Reason | null;
  readonly answer: string | null;
  /** What the person said after the task, oldest first. */
  readonly messages: readonly string[];
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** A dry run has done nothing, and a run with a body of its own is no task. */
const IS_TURN = `wish ->> 'dryRun' IS NULL AND ${IS_TASK}`;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Sessions, read from the rows of their runs, whose ids are in chronological order. Dry runs and checks are no turns of them. */
export function createSessionStore(db: Db) {
  const list = db.prepare<[{ workspace: string | null; limit: number }], SessionSummary>(`
    SELECT newest.session_id AS id, newest.workspace, newest.status, first.task, count AS runs,
      first.created_at AS createdAt, newest.created_at AS newestAt
    FROM (
      SELECT count(*) AS count, min(id) AS first_id, max(id) AS newest_id FROM runs
      WHERE (@workspace IS NULL OR workspace = @workspace)
        AND ${IS_TURN} GROUP BY session_id)
    JOIN runs AS first ON first.id = first_id
    JOIN runs AS newest ON newest.id = newest_id
    ORDER BY newest_id DESC LIMIT @limit`);
  const has = db.prepare<[string], unknown>('SELECT 1 FROM runs WHERE session_id = ? LIMIT 1');
  const endingWith = db
    .prepare<[{ suffix: string }], string>(`
      SELECT DISTINCT session_id FROM runs WHERE substr(session_id, -length(@suffix)) = @suffix
      ORDER BY session_id DESC LIMIT 20`)
    .pluck();
  const runsOf = db.prepare<[string], Omit<SessionRun, 'messages'> & { messages: string }>(`
    SELECT ${selected('id workspace task status reason answer created_at ended_at')},
      (SELECT json_group_array(text ORDER BY seq) FROM messages WHERE run_id = runs.id) AS messages
    FROM runs WHERE session_id = ? AND ${IS_TURN} ORDER BY id`);
  return {
    /** Ordered by their newest runs, newest first. */
    list: ({ workspace, limit }: { readonly workspace?: string; readonly limit: number }) =>
      list.all({ workspace: workspace ?? null, limit }),
    has: (id: string) => has.get(id) !== undefined,
    /** The ids of sessions that end with these characters: at most 20. */
    endingWith: (suffix: string) => endingWith.all({ suffix }),
    /** Oldest first; empty if there is no such session. */
    runsOf: (sessionId: string): readonly SessionRun[] =>
      runsOf.all(sessionId).map((run) => ({ ...run, messages: JSON.parse(run.messages) })),
  };
}
