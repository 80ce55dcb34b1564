import type { IntentRecord, IntentStanding } from '../../contract/intent.ts';
import type { Db } from '../../db/open-database.ts';
import type { Redactor } from '../../policy/redact.ts';
import type { Audit, AuditEntry } from '../audit/audit.ts';
import { rowHash } from '../audit/audit-cover.ts';
import { createCommitQueue } from './commit-queue.ts';
import { createIntentRows } from './intent-rows.ts';

export interface Journal {
  /** Saves with the next commit of the process, and within 10 ms at the latest: for what has no effect. */
  saveSoon(intent: IntentRecord, alsoWrite?: () => void): void;
  /** One transaction, synced to the disk when it returns: all that waits, this intent, then `alsoWrite`. */
  save(intent: IntentRecord, alsoWrite?: () => void): void;
  /** The same without an intent. */
  commit(write: () => void): void;
  /**
   * One transaction that outlives the process at once, and a loss of power from the next synced commit on: for what
   * decides nothing by itself. Nothing that was committed later can be there without it.
   */
  note(write: () => void): void;
  /** The same with the next commit of the process, and within 10 ms at the latest: for what nobody reads back before. */
  noteSoon(write: () => void): void;
  /** Notes that an attempt is answered from the record of another; with the next commit, or the one under way. */
  reuseSoon(attemptId: string, intentId: string): void;
  /** Takes back that it is: it never asked for that. */
  forgetSoon(attemptId: string, intentId: string): void;
  /** In the order in which they were proposed. */
  intentsOf(runId: string): readonly IntentRecord[];
  /** What an attempt was told, or is to be told: its own intents and those that it reuses, in their order. */
  recordOf(attemptId: string): readonly IntentRecord[];
  /** Those that are neither decided for good nor done. */
  openIntentsOf(runId: string): readonly IntentRecord[];
  /** The same in brief: how each intent fared. */
  standingsOf(runId: string): readonly IntentStanding[];
  /** Writes what waits. */
  flush(): void;
}

/**
 * The ordered record of intents and their outcomes; each change of a row has its line in the audit. Hashes are of what was
 * asked, the rows are without secrets.
 */
export function createJournal(db: Db, audit: Audit, redactor: Redactor): Journal {
  const rows = createIntentRows(db, redactor);
  const { soon, commit, note, flush } = createCommitQueue(db, audit);
  const write = (intent: IntentRecord) =>
    audit.append(auditEntryOf(intent, rowHash(rows.write(intent))));
  const flushed =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      flush();
      return read(...args);
    };
  return {
    saveSoon(intent, alsoWrite) {
      soon(() => write(intent), intent.id);
      if (alsoWrite) soon(alsoWrite);
    },
    save(intent, alsoWrite) {
      commit(() => {
        write(intent);
        alsoWrite?.();
      }, intent.id);
    },
    commit,
    note,
    noteSoon: soon,
    reuseSoon: (attemptId, intentId) => soon(() => rows.reuse(attemptId, intentId)),
    forgetSoon: (attemptId, intentId) => soon(() => rows.forget(attemptId, intentId)),
    intentsOf: flushed(rows.ofRun),
    recordOf: flushed(rows.ofAttempt),
    openIntentsOf: flushed(rows.openOf),
    standingsOf: flushed(rows.standingsOf),
    flush,
  };
}

function auditEntryOf(intent: IntentRecord, row: string): AuditEntry {
  const { id: ref, runId, capsuleId, status, name, target, tier, rule, requestHash } = intent;
  const detail = {
    name,
    target,
    tier,
    rule,
    request: requestHash,
    cost_micro_usd: intent.costMicroUsd,
    row,
  };
  return { actor: `capsule:${capsuleId}`, action: `intent.${status}`, runId, ref, detail };
}
