import type { Db } from '../../../db/open-database.ts';
import { selected, tableOf, withJson } from '../../../db/sql/table.ts';
import type { Redactor } from '../../../policy/secrets/redact.ts';
import type { AttemptEnd, AttemptRecord, AttemptStart, MemoryUpdateRow } from './subtask-record.ts';

const attempts = tableOf(
  'attempts',
  'id run_id subtask_id number capsule_id capsule_hash request status started_at',
);
const memory = tableOf('memory_updates', 'attempt_id position capsule_id text is_untrusted');

/** The rows of attempts and memory updates, without secrets. Plain statements. */
export function createAttemptRows(db: Db, now: () => Date, { redact, json }: Redactor) {
  const statements = prepareAll(db);
  const at = () => now().toISOString();
  return {
    /** Also sets its subtask to running, with this capsule. */
    startAttempt(attempt: AttemptStart): void {
      const { runId, subtaskId: id, capsuleId } = attempt;
      const request = json(attempt.request);
      statements.start.run({ ...attempt, request, status: 'running', startedAt: at() });
      statements.begin.run({ runId, id, capsuleId, at: at() });
    },
    endAttempt({ id, capsuleId }: AttemptStart, end: AttemptEnd): void {
      const { status, reason } = end;
      const [metrics, response] = [json(end.metrics), json(end.response)];
      const error = end.error && json(end.error);
      statements.end.run({ id, status, reason, error, metrics, response, at: at() });
      const about = { attemptId: id, capsuleId, isUntrusted: end.isUntrusted ? 1 : 0 };
      for (const [position, text] of end.memoryUpdates.entries())
        statements.remember.run({ ...about, position, text: redact(text) });
    },
    /** Ends attempts whose process is dead; they do not count as failed. */
    interruptAttempts: (runId: string) => void statements.interrupt.run({ runId, at: at() }),
    /** The last attempts of a capsule that ended by themselves, newest first. */
    lastOf: (capsuleId: string, most: number): readonly AttemptRecord[] =>
      statements.last.all(capsuleId, most).map(toAttempt),
    /** Of one subtask, in order. */
    attemptsOf: (runId: string, subtaskId: string): readonly AttemptRecord[] =>
      statements.ofSubtask.all(runId, subtaskId).map(toAttempt),
    findAttempt(id: string | null): AttemptRecord | undefined {
      const row = id === null ? undefined : statements.find.get(id);
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

const toAttempt = (row: object): AttemptRecord =>
  withJson(row, ['metrics', 'error', 'request', 'response']);

const SELECT = `SELECT ${selected(
  'id run_id subtask_id number capsule_id capsule_hash status reason error metrics request response',
)} FROM attempts`;

const prepareAll = (db: Db) => ({
  start: db.prepare(attempts.insert),
  begin: db.prepare(`
    UPDATE subtasks SET status = 'running', capsule_id = @capsuleId, started_at = coalesce(started_at, @at)
    WHERE run_id = @runId AND id = @id`),
  end: db.prepare(`
    UPDATE attempts SET status = @status, reason = @reason, error = @error, metrics = @metrics, response = @response,
      ended_at = @at
    WHERE id = @id`),
  interrupt: db.prepare(`
    UPDATE attempts SET status = 'interrupted', reason = 'crashed', ended_at = @at
    WHERE run_id = @runId AND status = 'running'`),
  ofSubtask: db.prepare<[string, string], object>(
    `${SELECT} WHERE run_id = ? AND subtask_id = ? ORDER BY number`,
  ),
  last: db.prepare<[string, number], object>(`
    ${SELECT} WHERE capsule_id = ? AND status IN ('completed', 'failed') AND request IS NOT NULL
    ORDER BY started_at DESC, rowid DESC LIMIT ?`),
  find: db.prepare<[string], object>(`${SELECT} WHERE id = ?`),
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
