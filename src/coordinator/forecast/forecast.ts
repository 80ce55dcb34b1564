import type { Forecast, Range } from '../../contract/plan-preview.ts';
import type { Db } from '../../db/open-database.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

/** The facts of a completed run for a forecast. */
export interface PastRun {
  readonly costMicroUsd: number;
  readonly durationMs: number;
  /** The capsule of each step that was not replaced; null if no capsule got it. */
  readonly capsules: readonly (string | null)[];
}

/** With fewer runs there is no forecast. */
const MIN_RUNS = 3;

/**
 * The likely cost of a plan: quartiles of past runs with a similar number of steps or the same capsules.
 *
 * @param capsules Of each step; null if it is undecided.
 */
export function forecastOf(
  capsules: readonly (string | null)[],
  past: readonly PastRun[],
  capMicroUsd: number,
): Forecast {
  const alike = past.filter((one) => isAlike(one.capsules, capsules));
  const isKnown = alike.length >= MIN_RUNS;
  const costs = alike.map(({ costMicroUsd }) => costMicroUsd / 1e6);
  return {
    cost_usd: isKnown ? quartiles(costs) : null,
    duration_ms: isKnown ? quartiles(alike.map(({ durationMs }) => durationMs)) : null,
    runs: alike.length,
    cap_usd: capMicroUsd / 1e6,
  };
}

/** One step more or less, a quarter of many, or the same capsules. */
function isAlike(one: readonly (string | null)[], other: readonly (string | null)[]): boolean {
  const most = Math.max(1, other.length / 4);
  return Math.abs(one.length - other.length) <= most || namesOf(one) === namesOf(other);
}

const namesOf = (capsules: readonly (string | null)[]): string =>
  JSON.stringify([...new Set(capsules)].toSorted());

function quartiles(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  return { low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Between two values, in proportion. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** The newest runs, which are the most relevant. */
const MAX_RUNS = 200;

/** Finds the newest completed runs with the provider and models of a run, without dry runs. */
export function createPastRuns(db: Db) {
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
  return ({ id, provider, options }: Pick<RunRecord, 'id' | 'provider' | 'options'>): PastRun[] => {
    const models = JSON.stringify(options['models'] ?? null);
    return find
      .all({ id, provider, models, limit: MAX_RUNS })
      .map((row) => ({ ...row, capsules: JSON.parse(row.capsules) as (string | null)[] }));
  };
}
