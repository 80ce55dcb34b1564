import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentsFolder, projectAgentsFolder } from '../../../config/files/agent-folders.ts';
import type { Places } from '../../../config/settings.ts';
import { AppError } from '../../../contract/errors.ts';
import type { Db } from '../../../db/open-database.ts';
import { eventFile } from '../../../events/event-log.ts';
import type { Stores } from '../create-stores.ts';
import type { RunRecord } from './run-record.ts';

/**
 * Deletes a run: its rows, graph checkpoints, events, artifacts and the logs of its attempts. Keeps the files that it
 * wrote in its workspace, the memories of capsules, routing examples, metrics, the audit, and what its calls cost. Files
 * are deleted only once the rows are: a refused deletion deletes nothing.
 *
 * @param actor As in the audit.
 * @throws AppError `USAGE` if the run is running, also if it was resumed a moment ago.
 */
export function deleteRun(
  { db, journal, runs, audit }: Stores,
  places: Pick<Places, 'stateDir' | 'dataDir'>,
  { run, actor }: { readonly run: RunRecord; readonly actor: string },
): void {
  const { id } = run;
  const files = journal.commit(() => {
    assertEnded(runs.find(id));
    const paths = filesOf(db, places, run);
    dropCheckpoints(db, id);
    db.prepare("DELETE FROM budget_raises WHERE scope = 'run' AND subject = ?").run(id);
    keepCosts(db, id);
    runs.delete(id);
    audit.append({ actor, action: 'run.deleted', runId: id, ref: id, detail: {} });
    return paths;
  });
  for (const path of files) rmSync(path, { force: true, recursive: true });
}

/** A call that was interrupted may have been paid for: its reservation counts as spent. */
function keepCosts(db: Db, runId: string): void {
  db.prepare(`
    INSERT INTO deleted_calls (kind, capsule_id, target, started_at, input_tokens, cached_input_tokens, output_tokens,
      cost_micro_usd, outcome)
    SELECT kind, capsule_id, iif(kind = 'chat', target, ''), started_at, input_tokens, cached_input_tokens, output_tokens,
      cost_micro_usd + reserved_micro_usd,
      json_object('estimated', json_extract(iif(kind = 'chat', outcome, NULL), '$.estimated'))
    FROM intents WHERE run_id = ? AND started_at IS NOT NULL AND cost_micro_usd + reserved_micro_usd > 0`).run(
    runId,
  );
}

/** Deletes the graph checkpoints of a run. Plain statements, to be called inside a transaction. */
export function dropCheckpoints(db: Db, runId: string): void {
  const saved = db.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('checkpoints', 'writes')",
  );
  for (const table of saved.pluck().all())
    db.prepare(`DELETE FROM ${table} WHERE thread_id = ?`).run(runId);
}

function assertEnded(run: RunRecord | undefined): void {
  if (run?.status !== 'running' && run?.status !== 'pending') return;
  throw new AppError('RUN_ACTIVE', { id: run.id });
}

function filesOf(
  db: Db,
  places: Pick<Places, 'stateDir' | 'dataDir'>,
  { id, workspace }: RunRecord,
): readonly string[] {
  const attempts = db
    .prepare<[string], { id: string; capsuleId: string }>(
      'SELECT id, capsule_id AS capsuleId FROM attempts WHERE run_id = ?',
    )
    .all(id);
  // Logs of project capsules are in the project, all others in the user's data folder.
  const homes = [agentsFolder(places), projectAgentsFolder(places, workspace)];
  const logs = attempts.flatMap((attempt) =>
    homes.map((home) => join(home, attempt.capsuleId, 'logs', `${attempt.id}.log`)),
  );
  return [eventFile(places.stateDir, id), join(places.stateDir, 'runs', id), ...logs];
}
