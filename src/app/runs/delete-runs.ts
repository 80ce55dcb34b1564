import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { deleteRun } from '../../coordinator/store/runs/delete-run.ts';
import { findRunToChange } from '../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { eventFile } from '../../events/event-log.ts';
import { folderBytes } from '../../platform/files/folder-entries.ts';
import { personAt } from '../calls/assert-actor.ts';
import type { AppContext } from '../context/open-context.ts';

export interface DeleteRunsOptions {
  /** The surface that a person uses: `cli`, `dashboard`, …. For the record. */
  readonly by: string;
  /** Only check that these runs can be deleted. Default: no. */
  readonly isDryRun?: boolean | undefined;
}

/** Deletes all of the runs, or none. Returns their ids. @throws AppError `USAGE` if `by` is refused. */
export async function deleteRuns(
  context: AppContext,
  ids: readonly string[],
  { by, isDryRun = false }: DeleteRunsOptions,
): Promise<readonly string[]> {
  const actor = personAt(by);
  const stores = await context.stores();
  const found = ids.map((id) => findRunToChange(stores.runs, id));
  const busy = found.find(({ status }) => status === 'running' || status === 'pending');
  if (busy) throw new AppError('RUN_ACTIVE', { id: busy.id });
  for (const run of isDryRun ? [] : found) deleteRun(stores, context.places, { run, actor });
  return found.map(({ id }) => id);
}

export interface PrunedRuns {
  /** Runs that have ended, the pruned ones included. */
  readonly ended: number;
  /** Ids of runs beyond the age or size that the settings keep; newest first. */
  readonly pruned: readonly string[];
}

const MAX_RUNS = 100_000;

/** Deletes the ended runs beyond `RUNS_KEEP_DAYS` and `RUNS_KEEP_MB`; with `isDryRun`, only finds them. */
export async function pruneRuns(context: AppContext, { by, isDryRun = false }: DeleteRunsOptions) {
  const actor = personAt(by);
  const stores = await context.stores();
  const ended = stores.runs.list({ limit: MAX_RUNS }).filter(({ endedAt }) => endedAt !== null);
  const excess = await beyondRetention(context, stores, ended);
  for (const run of isDryRun ? [] : excess) deleteRun(stores, context.places, { run, actor });
  return { ended: ended.length, pruned: excess.map(({ id }) => id) };
}

/** @param ended Newest first. */
async function beyondRetention(
  { places, settings }: AppContext,
  { runs, now }: Stores,
  ended: readonly RunRecord[],
): Promise<readonly RunRecord[]> {
  const { retention } = (await settings()).settings;
  const oldestMs = now().getTime() - retention.keepMs;
  let bytes = 0;
  return ended.filter(({ id, createdAt }) => {
    const files = folderBytes(join(places.stateDir, 'runs', id));
    bytes += fileBytes(eventFile(places.stateDir, id)) + files + runs.bytesOf(id);
    return bytes > retention.keepBytes || Date.parse(createdAt) < oldestMs;
  });
}

const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
