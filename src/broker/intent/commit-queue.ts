import { failPoint } from '../../db/fail-point.ts';
import type { Db } from '../../db/open-database.ts';
import type { Audit } from '../audit/audit.ts';

/** The transactions of a process, and what waits for the next of them. */
export interface CommitQueue {
  /** Goes with the next commit, and within 10 ms at the latest. What has the same key and waits gives way to it. */
  soon(write: () => void, key?: string): void;
  /** One transaction, synced to the disk when it returns: all that waits, then `write`. */
  commit(write: () => void, without?: string): void;
  /** One transaction that outlives the process at once, and a loss of power from the next synced commit on. */
  note(write: () => void): void;
  /** Writes what waits; inside a transaction, as a part of it. */
  flush(): void;
}

const TICK_MS = 10;

export function createCommitQueue(db: Db, audit: Audit): CommitQueue {
  let waiting = new Map<string | symbol, () => void>();
  let timer: NodeJS.Timeout | undefined;

  const drain = () => {
    const writes = waiting;
    waiting = new Map();
    for (const write of writes.values()) write();
  };
  const transact = db.transaction((write: () => void) =>
    audit.inOne(() => {
      drain();
      write();
      drain();
    }),
  );
  const commit: CommitQueue['commit'] = (write, without) => {
    if (without !== undefined) waiting.delete(without);
    const held = new Map(waiting);
    failPoint('commit');
    try {
      transact.immediate(write);
    } catch (error) {
      waiting = new Map([...held, ...waiting]);
      throw error;
    }
    clearTimeout(timer);
    timer = undefined;
    failPoint('committed');
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
  /** What can't be written now waits on: the next commit meets the same trouble, and has somebody to tell. */
  const flushLater = () => {
    timer = undefined;
    try {
      flush();
    } catch {}
  };
  return {
    soon(write, key) {
      waiting.set(key ?? Symbol('write'), write);
      timer ??= setTimeout(flushLater, TICK_MS);
    },
    commit,
    note,
    flush,
  };
}
