import { join } from 'node:path';
import { type AgreedCapsules, createAgreedCapsules } from '../../broker/agreed/agreed-capsules.ts';
import { type AgreedFiles, createAgreedFiles } from '../../broker/agreed/agreed-files.ts';
import { type Audit, createAudit } from '../../broker/audit/audit.ts';
import { createFileLedger, type FileLedger } from '../../broker/intent/file-ledger.ts';
import { createJournal, type Journal } from '../../broker/intent/journal.ts';
import { type Budget, createBudget } from '../../broker/money/budget.ts';
import { type ApprovalDesk, createApprovalDesk } from '../../broker/questions/approval-desk.ts';
import { type ApprovalStore, createApprovalStore } from '../../broker/questions/approval-store.ts';
import {
  createRememberedAnswers,
  type RememberedAnswers,
} from '../../broker/questions/remembered-answers.ts';
import { createTrustStore, type TrustStore } from '../../broker/questions/trust-store.ts';
import type { AppError } from '../../contract/errors.ts';
import { type ChangeWatch, watchChanges } from '../../db/changes/watch-changes.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import { type Db, openWritableOrReadOnly } from '../../db/open-database.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { type CapsuleMetrics, createCapsuleMetrics } from '../../registry/capsule-metrics.ts';
import { createQuarantine, type Quarantine } from '../../registry/quarantine.ts';
import { createDeltaRows, type DeltaRows } from '../events/delta-rows.ts';
import { createEventRows, type EventRows } from '../events/event-rows.ts';
import { createPastRuns, type FindPastRuns } from '../forecast/forecast.ts';
import { recoverRuns } from '../life/recover-runs.ts';
import { createRecentAttempts, type FindRecentAttempts } from '../route/recent-attempts.ts';
import { type CancelRequests, createCancelRequests } from '../stop/cancel-requests.ts';
import { createMessageStore, type MessageStore } from './message-store.ts';
import { createRunStore, type RunStore } from './runs/run-store.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { createSubtaskStore, type SubtaskStore } from './subtasks/subtask-store.ts';

/** The stores of the database. */
export interface Stores {
  readonly db: Db;
  readonly path: string;
  /** Why the database can only be read now; undefined if it can be written. */
  readonly unwritable: AppError | undefined;
  /** Reports what other connections commit. */
  readonly changes: ChangeWatch;
  readonly journal: Journal;
  readonly budget: Budget;
  readonly eventRows: EventRows;
  readonly deltas: DeltaRows;
  readonly cancelRequests: CancelRequests;
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly runs: RunStore;
  readonly subtasks: SubtaskStore;
  readonly recentAttempts: FindRecentAttempts;
  readonly pastRuns: FindPastRuns;
  readonly approvals: ApprovalStore;
  readonly desk: ApprovalDesk;
  readonly remembered: RememberedAnswers;
  readonly audit: Audit;
  readonly trust: TrustStore;
  readonly agreed: AgreedCapsules;
  readonly agreedFiles: AgreedFiles;
  readonly files: FileLedger;
  readonly metrics: CapsuleMetrics;
  readonly quarantine: Quarantine;
  /** Removes secrets from everything that is written. */
  readonly redactor: Redactor;
  readonly now: () => Date;
  close(): void;
}

/** The stores of a process that executes runs, with the bus on which they report. */
export interface RunStores extends Stores {
  readonly events: EventBus;
}

/** Ignores a storage failure: it was reported at the first failed write, and the next start recovers the rows. */
function flushLast(journal: Journal): void {
  try {
    journal.flush();
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
  }
}

/** Ignores a storage failure: reading continues, and the next write reports it. */
function parkDeadRuns(stores: Stores): void {
  try {
    recoverRuns(stores);
  } catch (error) {
    if (!isStorageFailure(error)) throw error;
  }
}

export interface StoreOptions {
  readonly now?: () => Date;
  /** Removes the known secrets from everything that is written. */
  readonly redactor: Redactor;
}

/**
 * Opens the database in Capstan's state folder, for reading if it can't be written now. Runs whose process is dead are
 * parked first.
 *
 * @throws AppError `DATABASE_FAILED`, `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
 */
export function openStores(
  stateDir: string,
  { now = () => new Date(), redactor }: StoreOptions,
): Stores {
  const path = join(stateDir, 'capstan.db');
  const { db, problem: unwritable } = openWritableOrReadOnly(path);
  const changes = watchChanges(db);
  const audit = createAudit(db, now, redactor);
  const journal = createJournal(db, audit, redactor);
  const approvals = createApprovalStore(db, audit, now, redactor);
  const remembered = createRememberedAnswers(db, now, redactor);
  const trust = createTrustStore(db, audit, now);
  const desk = createApprovalDesk({ changes, journal, approvals, remembered, audit, trust });
  const agreedFiles = createAgreedFiles(db, redactor);
  const stores: Stores = {
    db,
    path,
    unwritable,
    changes,
    journal,
    budget: createBudget({ db, journal, now }),
    eventRows: createEventRows(db, now, redactor),
    deltas: createDeltaRows(db),
    cancelRequests: createCancelRequests(db, now, redactor),
    messages: createMessageStore(db, now, redactor),
    sessions: createSessionStore(db),
    runs: createRunStore(db, redactor),
    subtasks: createSubtaskStore(db, now, redactor),
    recentAttempts: createRecentAttempts(db),
    pastRuns: createPastRuns(db),
    approvals,
    remembered,
    audit,
    trust,
    agreed: createAgreedCapsules(db, now, agreedFiles),
    agreedFiles,
    desk,
    files: createFileLedger(db),
    metrics: createCapsuleMetrics(db, now),
    quarantine: createQuarantine(db, audit, now, redactor),
    redactor,
    now,
    close() {
      desk.close();
      changes.close();
      flushLast(journal);
      db.close();
    },
  };
  if (!unwritable) parkDeadRuns(stores);
  return stores;
}
