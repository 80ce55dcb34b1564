import { messageOf } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { listCapsules } from '../capsules/list-capsules.ts';
import type { AppContext } from '../context/open-context.ts';

const RECENT_RUNS = 200;
const MAX_WORKSPACES = 20;

/** The overview that a surface always shows. The first of `workspaces` is the workspace of the settings. */
export async function overview(context: AppContext) {
  const { settings } = await context.settings();
  const stores = await context.stores();
  const capsules = await listCapsules(context, {});
  const folders = stores.runs.list({ limit: RECENT_RUNS }).map(({ workspace }) => workspace);
  const byHour = spentByHour(stores, context.now());
  return {
    // They are read again by each run.
    settings_problem: await context.settings({}).then(() => null, messageOf),
    waiting: stores.approvals.pending().length,
    live_runs: stores.runs.unended().length,
    spent_today_usd: byHour.reduce((sum, one) => sum + one, 0),
    day_budget_usd: settings.budget.dayMicroUsd / 1e6,
    spent_by_hour_usd: byHour,
    workspaces: [...new Set([settings.workspace, ...folders])].slice(0, MAX_WORKSPACES),
    quarantined: capsules.flatMap(({ capsule, quarantine }) =>
      quarantine ? [{ capsule_id: capsule.id, reason: quarantine.reason }] : [],
    ),
    capsules: capsules.map(({ capsule: { id, manifest } }) => ({ id, name: manifest.name })),
  };
}

/** Dollars of calls that started today, by local hour. */
function spentByHour({ db }: Pick<Stores, 'db'>, now: Date): readonly number[] {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
  const rows = db
    .prepare<[string], { hour: number; cost: number }>(`
      SELECT CAST(strftime('%H', started_at, 'localtime') AS INTEGER) AS hour, sum(cost_micro_usd) AS cost
      FROM (SELECT started_at, cost_micro_usd FROM intents
        UNION ALL SELECT started_at, cost_micro_usd FROM deleted_calls)
      WHERE started_at >= ? GROUP BY hour`)
    .all(start);
  return Array.from(
    { length: 24 },
    (_, hour) => (rows.find((row) => row.hour === hour)?.cost ?? 0) / 1e6,
  );
}
