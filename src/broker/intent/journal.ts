import type { IntentRecord } from '../../contract/intent.ts';
import { failPoint } from '../../db/fail-point.ts';
import type { Db } from '../../db/open-database.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { type Audit, rowHash } from '../audit/audit.ts';
import { createIntentReaders, createIntentRows } from './intent-rows.ts';

export type Journal = ReturnType<typeof createJournal>;

/**
 * The ordered record of intents and their outcomes; each change of a row has its line in the audit. Hashes are of the
 * original request, rows contain no secrets.
 */
export function createJournal(db: Db, audit: Audit, redactor: Redactor) {
  const rows = createIntentRows(db, redactor);
  const { soon, commit, note, flush, flushIntents } = createCommitQueue(
    db,
    audit,
    rows.forgetValues,
  );
  const write = (intent: IntentRecord) => auditIntent(audit, intent, rowHash(rows.write(intent)));
  /** After all pending writes. */
  const flushed = <Reads extends object>(reads: Reads): Reads =>
    Object.fromEntries(
      Object.entries(reads).map(([name, read]) => [
        name,
        (...args: unknown[]) => {
          flush();
          return read(...args);
        },
      ]),
    ) as Reads;
  return {
    /** Saves with the next commit of the process, at the latest with a `note` after 10 ms: for intents without an effect. */
    saveSoon(intent: IntentRecord, alsoWrite?: () => void): void {
      soon(() => write(intent), intent.id);
      if (alsoWrite) soon(alsoWrite);
    },
    /** One transaction, synced to the disk when it returns: all pending writes, this intent, then `alsoWrite`. */
    save(intent: IntentRecord, alsoWrite?: () => void): void {
      commit(() => {
        write(intent);
        alsoWrite?.();
      }, intent.id);
    },
    /** The same without an intent. Returns the result of `write`. */
    commit: commit as <T>(write: () => T) => T,
    /**
     * One unsynced transaction. It survives a process crash immediately, and a power failure from the next synced commit on:
     * for rows that do not affect decisions. Later commits never survive without it.
     */
    note,
    /** Writes with the next commit of the process, at the latest with a `note` after 10 ms. */
    noteSoon: soon as (write: () => void) => void,
    /** Notes that an attempt is answered from the record of another; with the next commit, or the current one. */
    reuseSoon: (attemptId: string, intentId: string) => soon(() => rows.reuse(attemptId, intentId)),
    /** Removes that note: the attempt never made that request. */
    forgetSoon: (attemptId: string, intentId: string) =>
      soon(() => rows.forget(attemptId, intentId)),
    ...flushed(createIntentReaders(db)),
    /** Writes the pending rows; if a transaction is open, as part of it. */
    flush,
    /** The same, if an intent is among them. */
    flushIntents,
  };
}

function auditIntent(audit: Audit, intent: IntentRecord, row: string): void {
  const { id: ref, runId, capsuleId, status, name, target, tier, rule } = intent;
  const { requestHash: request, costMicroUsd: cost_micro_usd } = intent;
  const detail = { name, target, tier, rule, request, cost_micro_usd, row };
  audit.append({ actor: `capsule:${capsuleId}`, action: `intent.${status}`, runId, ref, detail });
}

const TICK_MS = 10;

/** The transactions of a process, and the queue of writes for the next one. */
function createCommitQueue(db: Db, audit: Audit, onFailure: () => void) {
  let waiting = new Map<string | symbol, () => void>();
  let timer: NodeJS.Timeout | undefined;

  const drain = () => {
    const writes = waiting;
    waiting = new Map();
    for (const write of writes.values()) write();
  };
  const transact = db.transaction((write: () => unknown) =>
    audit.inOne(() => {
      drain();
      const result = write();
      drain();
      return result;
    }),
  );
  /** One synced transaction: all waiting writes except that of `without`, then `write`. */
  const commit = <T>(write: () => T, without?: string): T => {
    if (without !== undefined) waiting.delete(without);
    const held = new Map(waiting);
    failPoint('commit');
    let result: T;
    try {
      result = transact.immediate(write) as T;
    } catch (error) {
      waiting = new Map([...held, ...waiting]);
      onFailure();
      throw error;
    }
    clearTimeout(timer);
    timer = undefined;
    failPoint('committed');
    return result;
  };
  /** In WAL mode a synced commit syncs every commit before it (sqlite.org/wal.html), so only the end may be lost. */
  const note = (write: () => void) => {
    db.exec('PRAGMA synchronous = NORMAL');
    try {
      commit(write);
    } finally {
      db.exec('PRAGMA synchronous = FULL');
    }
  };
  const flush = () => {
    if (waiting.size === 0) return;
    if (db.inTransaction) drain();
    else note(() => {});
  };
  /** A write that fails stays in the queue: the next commit fails too, and has a caller to report it to. */
  const flushLater = () => {
    timer = undefined;
    try {
      flush();
    } catch {}
  };
  return {
    /** Writes with the next commit, within 10 ms. Replaces a waiting write with the same key. */
    soon(write: () => void, key?: string): void {
      waiting.set(key ?? Symbol('write'), write);
      timer ??= setTimeout(flushLater, TICK_MS);
    },
    commit,
    note,
    flush,
    flushIntents(): void {
      if ([...waiting.keys()].some((key) => typeof key === 'string')) flush();
    },
  };
}
