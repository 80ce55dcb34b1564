import type { Failure, Reason, SubtaskStatus } from '../../../contract/status.ts';
import type { Db } from '../../../db/open-database.ts';
import { selected, tableOf, withJson } from '../../../db/sql/table.ts';
import type { Redactor } from '../../../policy/secrets/redact.ts';
import type { Phase, Step } from '../../plan/plan.ts';
import type {
  AttemptEnd,
  AttemptRecord,
  AttemptStart,
  MemoryUpdateRow,
  ReplacedFor,
  SubtaskEnd,
  SubtaskRecord,
} from './subtask-record.ts';

const subtasks = tableOf(
  'subtasks',
  'run_id id phase position description depends_on order_only planned_capsule writes needs hint planned_at status',
);

const attempts = tableOf(
  'attempts',
  'id run_id subtask_id number capsule_id capsule_hash request status started_at',
);
const memory = tableOf('memory_updates', 'attempt_id position capsule_id text is_untrusted');

export type SubtaskStore = ReturnType<typeof createSubtaskStore>;

export interface Routed {
  readonly capsuleId?: string;
  readonly taskKind?: string;
  readonly receipt: unknown;
}

/**
 * The rows of subtasks, attempts and memory updates, without secrets. Plain statements, to be called inside the journal's
 * transactions.
 */
export function createSubtaskStore(db: Db, now: () => Date, { redact, json }: Redactor) {
  const statements = prepareAll(db);
  const at = () => now().toISOString();
  return {
    add(runId: string, phase: Phase, steps: readonly Step[]): void {
      for (const { id, description, depends_on, order_only, capsule, writes, needs, hint } of steps)
        statements.insert.run({
          ...{ runId, id, phase, position: statements.count.get(runId) ?? 0, plannedAt: at() },
          description: redact(description),
          dependsOn: JSON.stringify(depends_on),
          orderOnly: JSON.stringify(order_only ?? []),
          ...{ plannedCapsule: capsule ?? null, hint: hint ?? null, status: 'pending' },
          writes: json(writes),
          needs: json(needs),
        });
    },
    /** Stores how a subtask was routed; without a capsule if none fits. */
    route(runId: string, id: string, { capsuleId, taskKind, receipt }: Routed): void {
      const chosen = { capsuleId: capsuleId ?? null, taskKind: taskKind ?? null };
      statements.route.run({ runId, id, ...chosen, route: json(receipt) });
    },
    setStatus: (runId: string, id: string, status: SubtaskStatus) =>
      void statements.setStatus.run({ runId, id, status, at: at() }),
    end: (runId: string, id: string, end: SubtaskEnd) =>
      void statements.end.run({
        ...{ ...end, runId, id, capsuleId: end.capsuleId ?? null, at: at() },
        result: json(end.result),
        error: end.error && json(end.error),
      }),
    /** Ends subtasks that a new plan replaces; one that failed stays failed, any other becomes skipped. */
    replace(runId: string, ids: readonly string[], why: ReplacedFor): void {
      const { reason, error } = replaced[why];
      const end = { runId, why, reason, error: json(error), at: at() };
      statements.replace.run({ ...end, ids: JSON.stringify(ids) });
    },
    /** Deletes subtasks of a plan that was changed before anything started. */
    discard: (runId: string, ids: readonly string[]) =>
      void statements.discard.run(runId, JSON.stringify(ids)),
    /** Makes subtasks that failed, were skipped or cancelled pending again. */
    retryUnfinished: (runId: string) => void statements.retry.run(runId),
    /** In the order of the plan. */
    of: (runId: string): readonly SubtaskRecord[] => statements.ofRun.all(runId).map(toSubtask),
    /** Ids of the capsules that the run's subtasks were given to. */
    capsulesOf: (runId: string): ReadonlySet<string> => new Set(statements.capsules.all(runId)),
    /** Also sets its subtask to running, with this capsule. */
    startAttempt(attempt: AttemptStart): void {
      const { runId, subtaskId: id, capsuleId } = attempt;
      const request = json(attempt.request);
      statements.startAttempt.run({ ...attempt, request, status: 'running', startedAt: at() });
      statements.begin.run({ runId, id, capsuleId, at: at() });
    },
    endAttempt({ id, capsuleId }: AttemptStart, end: AttemptEnd): void {
      const { status, reason } = end;
      const [metrics, response] = [json(end.metrics), json(end.response)];
      const error = end.error && json(end.error);
      statements.endAttempt.run({ id, status, reason, error, metrics, response, at: at() });
      const about = { attemptId: id, capsuleId, isUntrusted: end.isUntrusted ? 1 : 0 };
      for (const [position, text] of end.memoryUpdates.entries())
        statements.remember.run({ ...about, position, text: redact(text) });
    },
    /** Ends attempts whose process is dead, which do not count as failed. Their subtasks are pending again. */
    interrupt(runId: string): void {
      statements.interruptAttempts.run({ runId, at: at() });
      statements.interrupt.run(runId);
    },
    /** The last attempts of a capsule that ended by themselves, newest first. */
    lastOf: (capsuleId: string, most: number): readonly AttemptRecord[] =>
      statements.last.all(capsuleId, most).map(toAttempt),
    /** Of one subtask, in order. */
    attemptsOf: (runId: string, subtaskId: string): readonly AttemptRecord[] =>
      statements.ofSubtask.all(runId, subtaskId).map(toAttempt),
    findAttempt(id: string | null): AttemptRecord | undefined {
      const row = id === null ? undefined : statements.findAttempt.get(id);
      return row && toAttempt(row);
    },
    /** Memory updates of a capsule that are not in its memory yet; if `workspace` is given, only from there. */
    unappliedMemory: (capsuleId: string, workspace?: string | null): readonly MemoryUpdateRow[] =>
      statements.unapplied.all({ capsuleId, workspace: workspace ?? null }),
    markApplied(updates: readonly MemoryUpdateRow[]): void {
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

const toSubtask = (row: object): SubtaskRecord =>
  withJson(row, ['dependsOn', 'orderOnly', 'writes', 'needs', 'route', 'result', 'error']);

const toAttempt = (row: object): AttemptRecord =>
  withJson(row, ['metrics', 'error', 'request', 'response']);

const SELECT = `SELECT ${selected(
  'id run_id subtask_id number capsule_id capsule_hash status reason error metrics request response',
)} FROM attempts`;

const THIS = 'WHERE run_id = @runId AND id = @id';

const prepareAll = (db: Db) => ({
  count: db
    .prepare<[string], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM subtasks WHERE run_id = ?',
    )
    .pluck(),
  insert: db.prepare(subtasks.insert),
  route: db.prepare(
    `UPDATE subtasks SET capsule_id = @capsuleId, task_kind = @taskKind, route = @route ${THIS}`,
  ),
  setStatus: db.prepare(
    `UPDATE subtasks SET status = @status, started_at = coalesce(started_at, @at) ${THIS}`,
  ),
  end: db.prepare(`
    UPDATE subtasks SET status = @status, reason = @reason, result = @result, error = @error, ended_at = @at,
      capsule_id = coalesce(@capsuleId, capsule_id)
    ${THIS}`),
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
    WHERE run_id = @runId AND id IN (SELECT value FROM json_each(@ids))`),
  ofRun: db.prepare<[string], object>(`
    SELECT ${selected(`id phase description depends_on order_only planned_capsule writes needs hint replaced_for capsule_id task_kind
      route status reason result error started_at ended_at`)},
      (SELECT count(*) FROM attempts WHERE attempts.run_id = subtasks.run_id AND subtask_id = subtasks.id) AS attempts
    FROM subtasks WHERE run_id = ? ORDER BY position`),
  capsules: db
    .prepare<[string], string>(
      'SELECT DISTINCT capsule_id FROM subtasks WHERE run_id = ? AND capsule_id IS NOT NULL',
    )
    .pluck(),
  startAttempt: db.prepare(attempts.insert),
  begin: db.prepare(`
    UPDATE subtasks SET status = 'running', capsule_id = @capsuleId, started_at = coalesce(started_at, @at)
    WHERE run_id = @runId AND id = @id`),
  endAttempt: db.prepare(`
    UPDATE attempts SET status = @status, reason = @reason, error = @error, metrics = @metrics, response = @response,
      ended_at = @at
    WHERE id = @id`),
  interrupt: db.prepare(
    "UPDATE subtasks SET status = 'pending' WHERE run_id = ? AND status = 'running'",
  ),
  interruptAttempts: db.prepare(`
    UPDATE attempts SET status = 'interrupted', reason = 'crashed', ended_at = @at
    WHERE run_id = @runId AND status = 'running'`),
  ofSubtask: db.prepare<[string, string], object>(
    `${SELECT} WHERE run_id = ? AND subtask_id = ? ORDER BY number`,
  ),
  last: db.prepare<[string, number], object>(`
    ${SELECT} WHERE capsule_id = ? AND status IN ('completed', 'failed')
    ORDER BY started_at DESC, rowid DESC LIMIT ?`),
  findAttempt: db.prepare<[string], object>(`${SELECT} WHERE id = ?`),
  remember: db.prepare(memory.insert),
  unapplied: db.prepare<[{ capsuleId: string; workspace: string | null }], MemoryUpdateRow>(`
    SELECT ${selected('attempt_id position memory_updates.capsule_id:capsuleId text run_id workspace is_untrusted')}
    FROM memory_updates JOIN attempts ON attempts.id = attempt_id JOIN runs ON runs.id = run_id
    WHERE memory_updates.capsule_id = @capsuleId AND applied = 0
      AND (@workspace IS NULL OR workspace = @workspace)
    ORDER BY attempt_id, position`),
  markApplied: db.prepare(
    "UPDATE memory_updates SET applied = 1, text = '' WHERE attempt_id = ? AND position = ?",
  ),
});
