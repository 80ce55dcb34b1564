import type { Db } from '../../db/open-database.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import type { PastRun } from './forecast.ts';

/** The newest runs, which are the most relevant. */
const MAX_RUNS = 200;

/** The newest completed runs with the provider and models of this one, without dry runs. */
export type FindPastRuns = (
  run: Pick<RunRecord, 'id' | 'provider' | 'options'>,
) => readonly PastRun[];

export function createPastRuns(db: Db): FindPastRuns {
  const find = db.prepare<
    [{ id: string; provider: string; models: string; limit: number }],
    Omit<PastRun, 'capsules'> & { capsules: string }
  >(`
    SELECT duration_ms AS durationMs,
      (SELECT coalesce(sum(cost_micro_usd), 0) FROM intents WHERE run_id = runs.id) AS costMicroUsd,
      (SELECT json_group_array(capsule_id) FROM subtasks WHERE run_id = runs.id AND replaced_for IS NULL) AS capsules
    FROM runs
    WHERE status = 'completed' AND id <> @id AND provider = @provider
      AND coalesce(options -> 'models', 'null') = @models AND wish ->> 'dryRun' IS NULL
    ORDER BY created_at DESC LIMIT @limit`);
  return ({ id, provider, options }) => {
    const models = JSON.stringify(options['models'] ?? null);
    return find
      .all({ id, provider, models, limit: MAX_RUNS })
      .map((row) => ({ ...row, capsules: JSON.parse(row.capsules) as (string | null)[] }));
  };
}
