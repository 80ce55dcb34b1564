import { dirname } from 'node:path';
import type { Audit } from '../broker/audit/audit.ts';
import type { FileLedger } from '../broker/intent/file-ledger.ts';
import type { Journal } from '../broker/intent/journal.ts';
import type { FileEffect } from '../broker/intent/record.ts';
import type { ApprovalStore } from '../broker/questions/approval-store.ts';
import { recoverIntent } from '../broker/recall/recover-intent.ts';
import type { IntentRecord } from '../contract/intent.ts';
import type { Reason } from '../contract/status.ts';
import { removeLeftBehind } from '../tools/temporary-file.ts';
import { isAlive } from './process-identity.ts';
import type { RunRecord, RunStore } from './run-store.ts';
import type { SubtaskStore } from './subtask-store.ts';

/**
 * Parks runs whose process died without a word, ready to be resumed: what they had started and may not be repeated
 * becomes a question to a person.
 */
export function recoverRuns(stores: RecoveryStores): void {
  const { runs, now } = stores;
  const isDead = ({ owner, leaseUntil }: RunRecord) => !isAlive(owner, leaseUntil, now());
  for (const run of runs.unended().filter(isDead)) recoverRun(stores, run, 'crashed');
}

/** The rows that a run which left off is made of. */
export interface RecoveryStores {
  readonly runs: RunStore;
  readonly subtasks: SubtaskStore;
  readonly journal: Journal;
  readonly audit: Audit;
  readonly approvals: ApprovalStore;
  readonly files: FileLedger;
  readonly now: () => Date;
}

/** Parks one run that left off where it stood, by the death of its process or because its rows could not be written. */
export function recoverRun(
  stores: RecoveryStores,
  { id, owner }: Pick<RunRecord, 'id' | 'owner'>,
  reason: Reason,
): void {
  const { runs, subtasks, journal, audit } = stores;
  journal.commit(() => {
    const run = runs.find(id);
    if (run?.status !== 'running' || run.owner !== owner) return;
    for (const intent of journal.openIntentsOf(id)) {
      clearFolders(intent, owner);
      const { capsuleHash = '' } = subtasks.findAttempt(intent.attemptId) ?? {};
      journal.saveSoon(recoverIntent(intent, { ...stores, run, capsuleHash }));
    }
    subtasks.interruptAttempts(id);
    for (const subtask of subtasks.of(id)) {
      if (subtask.status === 'running') subtasks.setStatus(id, subtask.id, 'pending');
    }
    runs.park(id, owner, reason);
    const detail = { owner };
    audit.append({ actor: 'coordinator', action: 'run.interrupted', runId: id, ref: id, detail });
  });
}

/** What was half written is no use to anybody, and a second name of a new file would keep it from being changed. */
function clearFolders({ effects = [] }: IntentRecord, owner: string): void {
  const pid = Number.parseInt(owner, 10);
  for (const { path } of effects as readonly FileEffect[]) removeLeftBehind(dirname(path), pid);
}
