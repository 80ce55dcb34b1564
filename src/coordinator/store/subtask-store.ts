import type { Failure, Reason, SubtaskStatus } from '../../contract/status.ts';
import type { Db } from '../../db/open-database.ts';
import { withJson } from '../../db/with-json.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import type { Phase, Step } from '../plan/plan.ts';
import type {
  AttemptEnd,
  AttemptRecord,
  AttemptStart,
  MemoryUpdateRow,
  ReplacedFor,
  SubtaskEnd,
  SubtaskRecord,
} from './subtask-record.ts';

export type {
  AttemptEnd,
  AttemptRecord,
  AttemptStart,
  MemoryUpdateRow,
  ReplacedFor,
  SubtaskEnd,
  SubtaskRecord,
} from './subtask-record.ts';

/** Plain statements, to be called inside the journal's transactions. */
export interface SubtaskStore {
  add(runId: string, phase: Phase, steps: readonly Step[]): void;
  /** Stores how a subtask was routed; without a capsule if none fits. */
  route(
    runId: string,
    id: string,
    route: { capsuleId?: string; taskKind?: string; receipt: unknown },
  ): void;
  setStatus(runId: string, id: string, status: SubtaskStatus): void;
  end(runId: string, id: string, end: SubtaskEnd): void;
  /** Also sets its subtask to running, with this capsule. */
  startAttempt(attempt: AttemptStart): void;
  endAttempt(attempt: AttemptStart, end: AttemptEnd): void;
  /** Ends subtasks that a new plan replaces; one that failed stays failed, any other becomes skipped. */
  replace(runId: string, ids: readonly string[], why: ReplacedFor): void;
  /** Deletes subtasks of a plan that was changed before anything started. */
  discard(runId: string, ids: readonly string[]): void;
  /** Makes subtasks that failed, were skipped or cancelled pending again. */
  retryUnfinished(runId: string): void;
  /** Ends attempts whose process is dead; they do not count as failed. */
  interruptAttempts(runId: string): void;
  /** Of one subtask, in order. */
  attemptsOf(runId: string, subtaskId: string): readonly AttemptRecord[];
  /** The last attempts of a capsule that ended by themselves, newest first. */
  lastOf(
    capsuleId: string,
    most: number,
  ): readonly (AttemptRecord & { readonly runId: string; readonly subtaskId: string })[];
  findAttempt(id: string | null): AttemptRecord | undefined;
  /** In the order of the plan. */
  of(runId: string): readonly SubtaskRecord[];
  /** Ids of the capsules that the run's subtasks were given to. */
  capsulesOf(runId: string): ReadonlySet<string>;
  /** Memory updates of a capsule that are not in its memory yet; if `workspace` is given, only from there. */
  unappliedMemory(capsuleId: string, workspace?: string | null): readonly MemoryUpdateRow[];
  markApplied(updates: readonly MemoryUpdateRow[]): void;
}

/** The rows of subtasks, attempts and memory updates, without secrets. */
export function createSubtaskStore(
  db: Db,
  now: () => Date,
  { redact, json }: Redactor,
): SubtaskStore {
  const statements = prepareAll(db);
  const at = () => now().toISOString();
  const failureJson = (failure: Failure | null) => (failure === null ? null : json(failure));
  return {
    add(runId, phase, steps) {
      for (const { id, description, depends_on, capsule, writes, needs, hint } of steps)
        statements.insert.run({
          ...{ runId, id, phase, position: statements.count.get(runId) ?? 0, at: at() },
          description: redact(description),
          dependsOn: JSON.stringify(depends_on),
          ...{ plannedCapsule: capsule ?? null, hint: hint ?? null },
          writes: json(writes),
          needs: json(needs),
        });
    },
    route: (runId, id, { capsuleId = null, taskKind = null, receipt }) =>
      void statements.route.run({ runId, id, capsuleId, taskKind, route: json(receipt) }),
    setStatus: (runId, id, status) =>
      void statements.setStatus.run({ runId, id, status, at: at() }),
    end: (runId, id, end) =>
      void statements.end.run({
        ...end,
        runId,
        id,
        capsuleId: end.capsuleId ?? null,
        result: json(end.result),
        error: failureJson(end.error),
        at: at(),
      }),
    startAttempt(attempt) {
      const { runId, subtaskId: id, capsuleId } = attempt;
      statements.startAttempt.run({ ...attempt, request: json(attempt.request), at: at() });
      statements.begin.run({ runId, id, capsuleId, at: at() });
    },
    endAttempt({ id, capsuleId }, end) {
      const { status, reason } = end;
      const [metrics, response] = [json(end.metrics), json(end.response)];
      const error = failureJson(end.error);
      statements.endAttempt.run({ id, status, reason, error, metrics, response, at: at() });
      const memory = { attemptId: id, capsuleId, isUntrusted: end.isUntrusted ? 1 : 0 };
      for (const [position, text] of end.memoryUpdates.entries())
        statements.remember.run({ ...memory, position, text: redact(text) });
    },
    replace(runId, ids, why) {
      const { reason, error } = replaced[why];
      const end = { runId, why, reason, error: json(error), at: at() };
      for (const id of ids) statements.replace.run({ ...end, id });
    },
    discard: (runId, ids) => void statements.discard.run(runId, JSON.stringify(ids)),
    retryUnfinished: (runId) => void statements.retry.run(runId),
    interruptAttempts: (runId) => void statements.interrupt.run({ runId, at: at() }),
    lastOf: (capsuleId, most) =>
      statements.lastAttempts.all(capsuleId, most).map((row) => toAttempt(row)),
    attemptsOf: (runId, subtaskId) =>
      statements.attempts.all(runId, subtaskId).map((row) => toAttempt(row)),
    findAttempt(id) {
      const row = id === null ? undefined : statements.attempt.get(id);
      return row && toAttempt(row);
    },
    of: (runId) => statements.select.all(runId).map(toSubtask),
    capsulesOf: (runId) => new Set(statements.capsules.all(runId)),
    unappliedMemory: (capsuleId, workspace = null) =>
      statements.unapplied.all({ capsuleId, workspace }),
    markApplied(updates) {
      for (const { attemptId, position } of updates)
        statements.markApplied.run(attemptId, position);
    },
  };
}

const replacedError = (after: string) => ({
  code: 'REPLACED',
  message: `Replaced by a new plan, after a ${after}.`,
});

/** The end of a step that a new plan replaced before it started. */
const replaced: Readonly<
  Record<ReplacedFor, { readonly reason: Reason; readonly error: Failure }>
> = {
  failure: { reason: 'dependency_failed', error: replacedError('failure') },
  message: { reason: 'cancelled', error: replacedError('message') },
};

const toAttempt = <Row extends AttemptRecord>(row: object): Row =>
  withJson<Row>(row, ['metrics', 'error', 'request', 'response']);

const toSubtask = (row: object): SubtaskRecord =>
  withJson(row, ['dependsOn', 'writes', 'needs', 'route', 'result', 'error']);

const ATTEMPT_COLUMNS =
  "id, number, capsule_id AS capsuleId, capsule_hash AS capsuleHash, status, reason, error, coalesce(metrics, '{}') AS metrics, request, response";

const SELECT_ATTEMPT = `SELECT ${ATTEMPT_COLUMNS} FROM attempts`;

const prepareAll = (db: Db) => ({
  count: db
    .prepare<[string], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM subtasks WHERE run_id = ?',
    )
    .pluck(),
  insert: db.prepare(`
    INSERT INTO subtasks (run_id, id, phase, position, description, depends_on, planned_capsule, writes, needs,
      hint, planned_at, status)
    VALUES (@runId, @id, @phase, @position, @description, @dependsOn, @plannedCapsule, @writes, @needs, @hint,
      @at, 'pending')`),
  route: db.prepare(`
    UPDATE subtasks SET capsule_id = @capsuleId, task_kind = @taskKind, route = @route
    WHERE run_id = @runId AND id = @id`),
  setStatus: db.prepare(`
    UPDATE subtasks SET status = @status, started_at = coalesce(started_at, @at)
    WHERE run_id = @runId AND id = @id`),
  begin: db.prepare(`
    UPDATE subtasks SET status = 'running', capsule_id = @capsuleId, started_at = coalesce(started_at, @at)
    WHERE run_id = @runId AND id = @id`),
  end: db.prepare(`
    UPDATE subtasks SET status = @status, reason = @reason, result = @result, error = @error, ended_at = @at,
      capsule_id = coalesce(@capsuleId, capsule_id)
    WHERE run_id = @runId AND id = @id`),
  discard: db.prepare(
    "DELETE FROM subtasks WHERE run_id = ? AND status = 'pending' AND id IN (SELECT value FROM json_each(?))",
  ),
  retry: db.prepare(`
    UPDATE subtasks SET status = 'pending', reason = NULL, result = NULL, error = NULL, ended_at = NULL
    WHERE run_id = ? AND replaced_for IS NULL AND status IN ('failed', 'skipped', 'cancelled')`),
  replace: db.prepare(`
    UPDATE subtasks SET replaced_for = @why, replaced_at = @at,
      status = iif(status = 'failed', 'failed', 'skipped'),
      reason = iif(status = 'failed', reason, @reason),
      error = iif(status = 'failed', error, @error),
      ended_at = coalesce(ended_at, @at)
    WHERE run_id = @runId AND id = @id`),
  startAttempt: db.prepare(`
    INSERT INTO attempts (id, run_id, subtask_id, number, capsule_id, capsule_hash, request, status, started_at)
    VALUES (@id, @runId, @subtaskId, @number, @capsuleId, @capsuleHash, @request, 'running', @at)`),
  attempts: db.prepare<[string, string], object>(
    `${SELECT_ATTEMPT} WHERE run_id = ? AND subtask_id = ? ORDER BY number`,
  ),
  lastAttempts: db.prepare<[string, number], object>(`
    SELECT run_id AS runId, subtask_id AS subtaskId, ${ATTEMPT_COLUMNS} FROM attempts
    WHERE capsule_id = ? AND status IN ('completed', 'failed') AND request IS NOT NULL
    ORDER BY started_at DESC, rowid DESC LIMIT ?`),
  attempt: db.prepare<[string], object>(`${SELECT_ATTEMPT} WHERE id = ?`),
  endAttempt: db.prepare(`
    UPDATE attempts SET status = @status, reason = @reason, error = @error, metrics = @metrics, response = @response,
      ended_at = @at
    WHERE id = @id`),
  interrupt: db.prepare(`
    UPDATE attempts SET status = 'interrupted', reason = 'crashed', ended_at = @at
    WHERE run_id = @runId AND status = 'running'`),
  remember: db.prepare(`
    INSERT INTO memory_updates (attempt_id, position, capsule_id, text, is_untrusted)
    VALUES (@attemptId, @position, @capsuleId, @text, @isUntrusted)`),
  select: db.prepare<[string], object>(`
    SELECT id, phase, description, depends_on AS dependsOn, planned_capsule AS plannedCapsule, writes, needs, hint,
      replaced_for AS replacedFor, capsule_id AS capsuleId, task_kind AS taskKind, route,
      status, reason, result, error, started_at AS startedAt, ended_at AS endedAt,
      (SELECT count(*) FROM attempts WHERE attempts.run_id = subtasks.run_id AND subtask_id = subtasks.id) AS attempts
    FROM subtasks WHERE run_id = ? ORDER BY position`),
  capsules: db
    .prepare<[string], string>(
      'SELECT DISTINCT capsule_id FROM subtasks WHERE run_id = ? AND capsule_id IS NOT NULL',
    )
    .pluck(),
  unapplied: db.prepare<[{ capsuleId: string; workspace: string | null }], MemoryUpdateRow>(`
    SELECT attempt_id AS attemptId, position, memory_updates.capsule_id AS capsuleId, text, run_id AS runId, workspace,
      is_untrusted AS isUntrusted
    FROM memory_updates JOIN attempts ON attempts.id = attempt_id JOIN runs ON runs.id = run_id
    WHERE memory_updates.capsule_id = @capsuleId AND applied = 0
      AND (@workspace IS NULL OR workspace = @workspace)
    ORDER BY attempt_id, position`),
  markApplied: db.prepare(
    "UPDATE memory_updates SET applied = 1, text = '' WHERE attempt_id = ? AND position = ?",
  ),
});
