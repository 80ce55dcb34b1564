import { statSync } from 'node:fs';
import { transition } from '../../broker/intent/transitions.ts';
import { ownIdentity } from '../../coordinator/life/process-identity.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { ExpectedFile } from './fork-files.ts';
import type { ForkPoint } from './fork-point.ts';

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

interface Fork {
  /** Id of the run that is forked. */
  readonly from: string;
  readonly to: string;
  readonly point: ForkPoint;
  /** Now, as ISO 8601. */
  readonly at: string;
}

/**
 * Copies the subtasks and attempts of a run as they were at the fork point. Call inside the journal's transaction.
 *
 * @returns The ids of the copied attempts, by the ids of the originals.
 */
export function copyAttempts(db: Db, { from, to, point, at }: Fork): ReadonlyMap<string, string> {
  const { proposedAt: until, subtaskId, attemptId } = point.intent;
  const withIntents = new Set(point.history.map((intent) => intent.attemptId));
  const attempts = db
    .prepare<[string], { id: string; startedAt: string; phase: string }>(`
      SELECT attempts.id, attempts.started_at AS startedAt, phase FROM attempts
      JOIN subtasks ON subtasks.run_id = attempts.run_id AND subtasks.id = subtask_id
      WHERE attempts.run_id = ?`)
    .all(from)
    .filter(({ id, startedAt }) => withIntents.has(id) || startedAt <= until);
  const phases = JSON.stringify(attempts.map(({ phase }) => phase));
  db.prepare(COPY_SUBTASKS).run({ from, to, until, subtaskId, phases });
  const copyAttempt = db.prepare(COPY_ATTEMPT);
  return new Map(
    attempts.map(({ id }) => {
      const copy = uuidv7();
      copyAttempt.run({ to, at, until, id, copy, isCut: attemptId === id ? 1 : 0 });
      return [id, copy];
    }),
  );
}

/** The intents of other attempts that attempts of the forked run reused. */
export const reusedIntents = (db: Db, runId: string) =>
  db
    .prepare<[string], { attemptId: string; intentId: string }>(`
      SELECT attempt_id AS attemptId, intent_id AS intentId FROM reused_intents
      JOIN attempts ON attempts.id = attempt_id WHERE run_id = ?`)
    .all(runId);

/** A subtask that ended before the fork point keeps its result; the others become pending. */
const COPY_SUBTASKS = `
  INSERT INTO subtasks (run_id, id, phase, position, description, depends_on, order_only, planned_capsule, writes, needs,
    replaced_for, replaced_at, planned_at, capsule_id, task_kind, route, status, reason, result, error, started_at, ended_at)
  SELECT @to, id, phase, position, description, depends_on, order_only, planned_capsule, writes, needs,
    iif(was_replaced, replaced_for, NULL), iif(was_replaced, replaced_at, NULL), planned_at,
    iif(had_begun, capsule_id, NULL), iif(had_begun, task_kind, NULL), iif(had_begun, route, NULL),
    iif(had_ended, status, 'pending'), iif(had_ended, reason, NULL), iif(had_ended, result, NULL),
    iif(had_ended, error, NULL), iif(had_begun, started_at, NULL), iif(had_ended, ended_at, NULL)
  FROM (
    SELECT *, coalesce(started_at <= @until, 0) AS had_begun,
      coalesce(ended_at <= @until, 0) AND id <> @subtaskId AS had_ended,
      coalesce(replaced_at <= @until, 0) AS was_replaced
    FROM subtasks WHERE run_id = @from AND phase IN (SELECT value FROM json_each(@phases))
      AND coalesce(planned_at <= @until, 1))
  ORDER BY position`;

/** An attempt that was running at the fork point becomes interrupted. */
const COPY_ATTEMPT = `
  INSERT INTO attempts (id, run_id, subtask_id, number, capsule_id, capsule_hash, status, reason, error, metrics,
    started_at, ended_at, request, response)
  SELECT @copy, @to, subtask_id, number, capsule_id, capsule_hash,
    iif(had_ended, status, 'interrupted'), iif(had_ended, reason, 'interrupted'), iif(had_ended, error, NULL),
    iif(had_ended, metrics, '{}'), started_at, iif(had_ended, ended_at, @at), request, iif(had_ended, response, NULL)
  FROM (
    SELECT *, coalesce(ended_at <= @until, 0) AND NOT @isCut AS had_ended FROM attempts WHERE id = @id)`;
