import { join } from 'node:path';
import { createAgreedCapsules } from '../../broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../broker/agreed/agreed-files.ts';
import { createAudit } from '../../broker/audit/audit.ts';
import { createFileLedger } from '../../broker/intent/file-ledger.ts';
import { createJournal } from '../../broker/intent/journal.ts';
import { createBudget } from '../../broker/money/budget.ts';
import { createApprovalDesk } from '../../broker/questions/approval-desk.ts';
import { createApprovalStore } from '../../broker/questions/approval-store.ts';
import { createRememberedAnswers } from '../../broker/questions/remembered-answers.ts';
import { createTrustStore } from '../../broker/questions/trust-store.ts';
import { watchChanges } from '../../db/changes/watch-changes.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import { openWritableOrReadOnly } from '../../db/open-database.ts';
import type { EventBus } from '../../events/bus.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { createCapsuleMetrics } from '../../registry/capsule-metrics.ts';
import { createQuarantine } from '../../registry/quarantine.ts';
import { createDeltaRows } from '../events/delta-rows.ts';
import { createEventRows } from '../events/event-rows.ts';
import { createPastRuns } from '../forecast/forecast.ts';
import { createRecentAttempts } from '../route/recent-attempts.ts';
import { createCancelRequests } from '../stop/cancel-requests.ts';
import { createMessageStore } from './message-store.ts';
import { createRunStore } from './runs/run-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSubtaskStore } from './subtasks/subtask-store.ts';

/** The stores of the database. */
export type Stores = ReturnType<typeof createStores>;

/** The stores of a process that executes runs, with the bus on which they report. */
export interface RunStores extends Stores {
  readonly events: EventBus;
}

export interface StoreOptions {
  readonly now?: () => Date;
  /** Removes the known secrets from everything that is written. */
  readonly redactor: Redactor;
}

/**
 * The stores of the database in Capstan's state folder. It is opened for reading if it can't be written now.
 *
 * @throws AppError `DATABASE_FAILED`, `DATABASE_NEWER`, `DATABASE_UNREADABLE`, `PLACE_UNUSABLE`.
 */
export function createStores(stateDir: string, { now = () => new Date(), redactor }: StoreOptions) {
  const path = join(stateDir, 'capstan.db');
  const { db, problem: unwritable } = openWritableOrReadOnly(path);
  const changes = watchChanges(db);
  const audit = createAudit(db, now, redactor);
  const journal = createJournal(db, audit, redactor);
  const approvals = createApprovalStore(db, audit, now, redactor);
  const remembered = createRememberedAnswers(db, now, redactor);
  const trust = createTrustStore(db, audit, now);
  const agreedFiles = createAgreedFiles(db, redactor);
  const agreed = createAgreedCapsules(db, now, agreedFiles);
  const answering = { changes, journal, approvals, remembered, audit, trust, agreed };
  const desk = createApprovalDesk(answering);
  return {
    db,
    path,
    /** Why the database can only be read now; undefined if it can be written. */
    unwritable,
    changes,
    journal,
    budget: createBudget(db, journal, now),
    eventRows: createEventRows(db, now, redactor),
    deltas: createDeltaRows(db),
    cancelRequests: createCancelRequests(db, now, redactor),
    messages: createMessageStore(db, audit, now, redactor),
    sessions: createSessionStore(db),
    runs: createRunStore(db, redactor),
    subtasks: createSubtaskStore(db, now, redactor),
    recentAttempts: createRecentAttempts(db),
    pastRuns: createPastRuns(db),
    approvals,
    remembered,
    audit,
    trust,
    agreed,
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
      try {
        journal.flush();
      } catch (error) {
        // A storage failure was reported at the first failed write, and the next start recovers the rows.
        if (!isStorageFailure(error)) throw error;
      }
      db.close();
    },
  };
}
