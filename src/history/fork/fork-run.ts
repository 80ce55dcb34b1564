import { statSync } from 'node:fs';
import { transition } from '../../broker/intent/transitions.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { ownIdentity } from '../../coordinator/process-identity.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { ExpectedFile, ForkPoint } from './fork-point.ts';
import { createForkRows, type ForkRows } from './fork-rows.ts';

export interface ForkWish {
  readonly run: RunRecord;
  readonly point: ForkPoint;
  /** Where the fork works: absolute, symbolic links resolved. */
  readonly workspace: string;
  /** What the history wrote, as it stands there now: the fork knows it as its own. */
  readonly files: readonly ExpectedFile[];
}

/**
 * Makes a parked run that shares the history of another one up to an intent, that one included: what had ended by then is
 * kept, what was under way is interrupted, so that going on with it answers from the record. Costs stay with the run
 * that paid them. In one transaction; no file is touched.
 */
export function forkRun(stores: Stores, wish: ForkWish): RunRecord {
  const { runs, journal, audit, now } = stores;
  const { run, point } = wish;
  const at = now().toISOString();
  const fork: RunRecord = {
    ...run,
    id: uuidv7(),
    workspace: wish.workspace,
    options: { ...run.options, workspace: wish.workspace },
    status: 'parked',
    reason: 'interrupted',
    answer: null,
    error: null,
    owner: ownIdentity(),
    leaseUntil: null,
    forkedFrom: run.id,
    forkedAt: point.intent.id,
    createdAt: at,
    endedAt: null,
  };
  const rows = createForkRows(stores.db, { from: run.id, to: fork.id, point, at });
  journal.commit(() => {
    runs.create(fork);
    const detail = { forked_from: run.id, forked_at: point.intent.id };
    audit.append({ actor: 'person', action: 'run.forked', runId: fork.id, ref: fork.id, detail });
    rows.copySubtasks();
    const attempts = rows.copyAttempts();
    copyIntents(stores, fork.id, { point, attempts, rows });
    keepFiles(stores, fork.id, wish.files);
  });
  return fork;
}

interface Copying {
  readonly point: ForkPoint;
  /** Ids of the fork's attempts by those that they were copied from. */
  readonly attempts: ReadonlyMap<string, string>;
  readonly rows: ForkRows;
}

function copyIntents({ journal }: Stores, runId: string, { point, attempts, rows }: Copying): void {
  const ids = new Map<string, string>();
  for (const intent of point.history) {
    const { attemptId } = intent;
    const isOpen = ['proposed', 'waiting', 'started'].includes(intent.status);
    const id = uuidv7();
    ids.set(intent.id, id);
    const copy = {
      ...intent,
      id,
      runId,
      attemptId: attemptId === null ? null : (attempts.get(attemptId) ?? null),
      costMicroUsd: 0,
      reservedMicroUsd: 0,
      reservedTokens: 0,
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
    };
    journal.saveSoon(
      isOpen ? transition(copy, 'proposed', { outcome: undefined, startedAt: null }) : copy,
    );
  }
  for (const { attemptId, intentId } of rows.reused()) {
    const [attempt, intent] = [attempts.get(attemptId), ids.get(intentId)];
    if (attempt !== undefined && intent !== undefined) journal.reuseSoon(attempt, intent);
  }
}

/** What the run knows that it wrote may be written again by it without a question. */
function keepFiles({ files }: Stores, runId: string, expected: readonly ExpectedFile[]): void {
  for (const { path, sha256, subtaskId } of expected) {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (sha256 === null || sha256 === 'absent' || bytes === undefined) continue;
    const file = { runId, subtaskId, path, sha256, bytes, wasWritten: true };
    files.note(file);
    files.save(file);
  }
}
