import type { Db } from '../../db/open-database.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { RecentAttempts } from '../../registry/search/route.ts';

/**
 * The success of the last 20 attempts of a capsule with its current files in a workspace; undefined if there are none. Excluded
 * are those that were interrupted, declined, or ended by a denial, a budget, a provider or the isolation.
 */
export function createRecentAttempts(db: Db) {
  const declined = JSON.stringify([...DECLINE_CODES]);
  const recent = db
    .prepare<[Readonly<Record<string, string>>], string>(`
      SELECT attempts.status FROM attempts JOIN runs ON runs.id = run_id
      WHERE capsule_id = @id AND capsule_hash = @hash AND workspace = @workspace
        AND (attempts.status = 'completed' OR attempts.status = 'failed'
          AND attempts.reason IN ('subtask_failed', 'deadline', 'protocol', 'crashed', 'loop', 'limit')
          AND coalesce(json_extract(attempts.error, '$.code'), '') NOT IN (SELECT value FROM json_each(@declined)))
      ORDER BY started_at DESC, attempts.rowid DESC LIMIT 20`)
    .pluck();
  return (
    { id, hash }: Pick<Capsule, 'id' | 'hash'>,
    workspace: string,
  ): RecentAttempts | undefined => {
    const statuses = recent.all({ id, hash, workspace, declined });
    const completed = statuses.filter((status) => status === 'completed').length;
    return statuses.length === 0 ? undefined : { completed, attempts: statuses.length };
  };
}

/** Error codes with which a handler declines a task before it has had an effect. */
export const DECLINE_CODES: ReadonlySet<string> = new Set([
  'NOT_UNDERSTOOD',
  'NOT_SUPPORTED',
  'NEEDS_MODEL',
  'NOT_FOR_ME',
]);
