import { dirname } from 'node:path';
import type { FileEffect } from '../../broker/intent/record.ts';
import { recoverIntent } from '../../broker/recall/recover-intent.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Failure, Reason } from '../../contract/status.ts';
import { removeAbandoned } from '../../tools/files/temporary-file.ts';
import { commitEvent, runEnded } from '../events/run-events.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { isAlive, sinceHeartbeat } from './process-identity.ts';

/**
 * Parks runs whose process died, so that they can be resumed. A started intent that may not be repeated
 * becomes a question to a person.
 */
export function recoverRuns(stores: Stores): void {
  const { runs, now } = stores;
  const isDead = ({ owner, leaseUntil }: RunRecord) => !isAlive(owner, leaseUntil, now());
  for (const run of runs.unended().filter(isDead)) recoverRun(stores, run, 'crashed');
}

/** Parks one run whose process died or could not write its rows. @param error The failed write. */
export function recoverRun(
  stores: Stores,
  { id, owner }: Pick<RunRecord, 'id' | 'owner'>,
  reason: Reason,
  error: Failure | null = null,
): void {
  const { runs, subtasks, audit } = stores;
  commitEvent(stores, () => {
    const run = runs.find(id);
    if (run?.status !== 'running' || run.owner !== owner) return undefined;
    if (reason === 'crashed') countUnsaved(stores, run);
    recoverIntents(stores, run);
    subtasks.interrupt(id);
    stores.deltas.removeRun(id);
    runs.park(id, owner, reason, error);
    const detail = { owner };
    audit.append({ actor: 'coordinator', action: 'run.interrupted', runId: id, ref: id, detail });
    // A live owner reports the end of its run itself.
    return reason === 'crashed' ? runEnded(runs, runs.refresh(run)) : undefined;
  });
}

/** Adds the time that the dead owner executed the run after its last heartbeat, up to the last event. */
function countUnsaved({ db, eventRows }: Stores, { id, leaseUntil }: RunRecord): void {
  const lastAt = eventRows.lastAt(id);
  if (lastAt === undefined || leaseUntil === null) return;
  const add = db.prepare('UPDATE runs SET duration_ms = duration_ms + ? WHERE id = ?');
  add.run(sinceHeartbeat(leaseUntil, lastAt), id);
}

function recoverIntents(stores: Stores, run: RunRecord): void {
  const { subtasks, journal } = stores;
  for (const intent of journal.openIntentsOf(run.id)) {
    clearFolders(intent, run.owner);
    const { capsuleHash = '' } = subtasks.findAttempt(intent.attemptId) ?? {};
    journal.saveSoon(recoverIntent(intent, { ...stores, run, capsuleHash }));
  }
}

/** Removes half-written files: a second hard link to a new file would keep it from being changed. */
function clearFolders({ effects = [] }: IntentRecord, owner: string): void {
  const pid = Number.parseInt(owner, 10);
  for (const { path } of effects as readonly FileEffect[]) removeAbandoned(dirname(path), pid);
}
