import { statSync } from 'node:fs';
import { transition } from '../../broker/intent/transitions.ts';
import { ownIdentity } from '../../coordinator/life/process-identity.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { ExpectedFile } from './fork-files.ts';
import type { ForkPoint } from './fork-point.ts';
import { copyAttempts, reusedIntents } from './fork-rows.ts';

export interface ForkRequest {
  readonly run: RunRecord;
  readonly point: ForkPoint;
  /** The fork's workspace: absolute, symbolic links resolved. */
  readonly workspace: string;
  /** Files that the history wrote: in the fork they count as written by it. */
  readonly files: readonly ExpectedFile[];
}

/**
 * Creates a parked run with the history of another one up to and including an intent. Subtasks that had ended keep their
 * results; running attempts are interrupted, so that resuming answers them from the record. Costs stay with the forked
 * run. One transaction; no file is touched.
 */
export function forkRun(stores: Stores, request: ForkRequest): RunRecord {
  const { runs, journal, audit, now } = stores;
  const { run, point } = request;
  const at = now().toISOString();
  const fork: RunRecord = {
    ...run,
    id: uuidv7(),
    workspace: request.workspace,
    options: { ...run.options, workspace: request.workspace },
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
    stoppedBy: null,
  };
  journal.commit(() => {
    runs.create(fork);
    const detail = { forked_from: run.id, forked_at: point.intent.id };
    audit.append({ actor: 'person', action: 'run.forked', runId: fork.id, ref: fork.id, detail });
    const attempts = copyAttempts(stores.db, { from: run.id, to: fork.id, point, at });
    copyIntents(stores, fork, { point, attempts });
    recordFiles(stores, fork.id, request.files);
  });
  return fork;
}

/** @param attempts Ids of the fork's attempts, by the ids of the forked run's. */
function copyIntents(
  { journal, db }: Stores,
  fork: RunRecord,
  {
    point,
    attempts,
  }: { readonly point: ForkPoint; readonly attempts: ReadonlyMap<string, string> },
): void {
  const ids = new Map<string, string>();
  for (const intent of point.history) {
    const { attemptId } = intent;
    const isOpen = ['proposed', 'waiting', 'started'].includes(intent.status);
    const id = uuidv7();
    ids.set(intent.id, id);
    const copy = {
      ...intent,
      id,
      runId: fork.id,
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
  for (const { attemptId, intentId } of reusedIntents(db, fork.forkedFrom ?? '')) {
    const [attempt, intent] = [attempts.get(attemptId), ids.get(intentId)];
    if (attempt !== undefined && intent !== undefined) journal.reuseSoon(attempt, intent);
  }
}

/** Records the files as written by the fork, so that it may write them again without a question. */
function recordFiles({ files }: Stores, runId: string, expected: readonly ExpectedFile[]): void {
  for (const { path, sha256, subtaskId } of expected) {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (sha256 === null || sha256 === 'absent' || bytes === undefined) continue;
    const file = { runId, subtaskId, path, sha256, bytes, wasWritten: true };
    files.note(file);
    files.save(file);
  }
}
