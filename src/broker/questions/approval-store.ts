import type { Answer, Approval, NewApproval } from '../../contract/approval.ts';
import { createDeadlineClock } from '../../db/deadline-clock.ts';
import type { Db } from '../../db/open-database.ts';
import { tableOf, withJson } from '../../db/sql/table.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { wellFormed } from '../../platform/text/well-formed.ts';
import { REDACTED, type Redactor } from '../../policy/secrets/redact.ts';
import type { Audit } from '../audit/audit.ts';

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

const COLUMNS = `id run_id intent_id subtask_id capsule_id kind question why capsule_reason operation target tier
  cost_micro_usd request_hash workspace capsule_hash binding policy_version is_forced choices free_text plan status
  answer answered_by note edited_steps created_at expires_at answered_at`;
const approvals = tableOf('approvals', `${COLUMNS} details`);
const listed = tableOf('approvals', COLUMNS);

/** A question without its details: those of all questions of a run may be too much to hold. */
export type ListedApproval = Omit<Approval, 'details'>;

const DECIDE = `
  UPDATE approvals SET status = 'answered', answer = @answer, answered_by = @by, note = @note, edited_steps = @steps,
    answered_at = @at
  WHERE id = @id AND status = 'pending' AND binding = @binding AND (expires_at IS NULL OR expires_at > @at)
    AND (free_text = 1 OR EXISTS (SELECT 1 FROM json_each(choices) WHERE value = @answer))`;

const parse = (row: { isForced: 0 | 1; freeText: 0 | 1 }): Approval => ({
  ...withJson<Approval>(row, ['choices', 'plan', 'editedSteps']),
  isForced: row.isForced === 1,
  freeText: row.freeText === 1,
});

const valuesOf = (approval: Approval) => ({
  ...approval,
  choices: JSON.stringify(approval.choices),
  plan: approval.plan ? JSON.stringify(approval.plan) : null,
  editedSteps: null,
  isForced: approval.isForced ? 1 : 0,
  freeText: approval.freeText ? 1 : 0,
});

const HIDDEN = `"${REDACTED}" replaces a secret. The real value is used when this is performed.`;

function withoutSecrets(question: NewApproval, redactor: Redactor): NewApproval {
  const clean = redactor.redact(question);
  const isPerformed = question.kind !== 'question' && question.kind !== 'plan';
  return clean === question || !isPerformed
    ? clean
    : { ...clean, details: `${HIDDEN}\n${clean.details}` };
}

const UNANSWERED = {
  status: 'pending',
  answer: null,
  answeredBy: null,
  note: null,
  editedSteps: null,
  answeredAt: null,
} as const;

const EXPIRED = "status = 'expired', answered_at = @at WHERE status = 'pending'";
const WITHDRAWN = `${EXPIRED} AND intent_id = @intentId AND kind IN ('tool', 'changed_file', 'changed_capsule', 'route', 'plan')`;
const CONSUMED = "status = 'consumed', consumed_at = @at WHERE id = @id AND status = 'answered'";
const RELEASED =
  "status = 'answered', consumed_at = NULL WHERE intent_id = @intentId AND status = 'consumed'";

/** Statements that change the status of questions, with a line in the audit for each. They return the ids. */
function prepareChanges(db: Db, audit: Audit, at: () => string) {
  const change = (action: string, actor: string, sql: string) => {
    const statement = db.prepare<[object], { id: string; runId: string }>(
      `UPDATE approvals SET ${sql} RETURNING id, run_id AS runId`,
    );
    return (values: Readonly<Partial<Record<'id' | 'runId' | 'intentId', string>>> = {}) =>
      statement.all({ ...values, at: at() }).map(({ id: ref, runId }) => {
        const detail = values.intentId === undefined ? {} : { intent: values.intentId };
        audit.append({ actor, action, runId, ref, detail });
        return ref;
      });
  };
  return {
    expire: change('approval.expired', 'policy', `${EXPIRED} AND expires_at <= @at`),
    close: change('approval.expired', 'coordinator', `${EXPIRED} AND run_id = @runId`),
    withdraw: change('approval.withdrawn', 'policy', WITHDRAWN),
    consume: change('approval.consumed', 'coordinator', CONSUMED),
    release: change('approval.given_back', 'coordinator', RELEASED),
  };
}

/** Plain statements, to be called inside the journal's transactions. Each change of a row has its line in the audit. */
export function createApprovalStore(db: Db, audit: Audit, now: () => Date, redactor: Redactor) {
  const many = (rest: string, { select } = approvals) => {
    const statement = db.prepare<string[], Parameters<typeof parse>[0]>(`${select} ${rest}`);
    return (...values: string[]): readonly Approval[] => statement.all(...values).map(parse);
  };
  const byId = many('WHERE id = ?');
  const endingWith = many('WHERE substr(id, -length(?)) = ? ORDER BY id LIMIT 20');
  const insert = db.prepare(approvals.insert);
  const decide = db.prepare(DECIDE);
  const isAsked = db
    .prepare<[string], 1>("SELECT 1 FROM approvals WHERE run_id = ? AND status = 'pending'")
    .pluck();
  const nextDeadline = db
    .prepare<[], string | null>("SELECT min(expires_at) FROM approvals WHERE status = 'pending'")
    .pluck();
  const clock = createDeadlineClock(db, now);
  const at = () => clock.now().toISOString();
  const { expire, close, withdraw, consume, release } = prepareChanges(db, audit, at);
  const store = {
    /** A new row, not written yet. Secrets are redacted, and the details say so. */
    draft: (question: NewApproval): Approval => ({
      id: uuidv7(),
      freeText: false,
      plan: null,
      ...wellFormed(withoutSecrets(question, redactor)),
      ...UNANSWERED,
      createdAt: now().toISOString(),
    }),
    /** Writes the row, without a line in the audit. */
    insert(approval: Approval): void {
      insert.run(valuesOf(approval));
      clock.keep();
    },
    open(approval: Approval): void {
      store.insert(approval);
      const { id: ref, runId, kind, binding, expiresAt, intentId: intent } = approval;
      const detail = { kind, binding, expiresAt, intent };
      audit.append({ actor: 'policy', action: 'approval.asked', runId, ref, detail });
    },
    find: (id: string): Approval | undefined => byId(id)[0],
    /** Those whose id ends with these characters. */
    endingWith: (suffix: string) => endingWith(suffix, suffix),
    /** Of every run, oldest first. */
    pending: many("WHERE status = 'pending' ORDER BY created_at, id") as () => readonly Approval[],
    of: many('WHERE run_id = ? ORDER BY created_at, id') as (runId: string) => readonly Approval[],
    listOf: many('WHERE run_id = ? ORDER BY created_at, id', listed) as (
      runId: string,
    ) => readonly ListedApproval[],
    /** True for the first answer before the deadline, false for any other. The caller adds the line to the audit. */
    decide(id: string, { answer, by, note, binding, editedSteps }: Answer): boolean {
      const said = wellFormed(redactor.redact({ answer, by, note: note ?? null }));
      const steps = editedSteps ? redactor.json(editedSteps) : null;
      return decide.run({ id, ...said, steps, binding, at: at() }).changes === 1;
    },
    /** The deadline of a question that is asked now, as ISO 8601. */
    deadlineIn: (ms: number): string => new Date(clock.now().getTime() + ms).toISOString(),
    /** Whether the deadline of a question has passed, also if the wall clock was set back. */
    isOverdue: ({ expiresAt }: Pick<Approval, 'expiresAt'>): boolean =>
      expiresAt !== null && expiresAt <= at(),
    hasOverdue: (): boolean => store.isOverdue({ expiresAt: nextDeadline.get() ?? null }),
    /** Sets questions past their deadline to `expired`. */
    expireOverdue(): void {
      clock.keep();
      expire();
    },
    /** Sets pending questions about an operation to `expired`, because they no longer show what it would do. */
    withdraw: (intentId: string) => void withdraw({ intentId }),
    /** Sets pending questions of a run to `expired`: the run has ended. */
    close(runId: string): void {
      if (isAsked.get(runId)) close({ runId });
    },
    /** True once: an answer is valid for one effect. */
    consume: (id: string): boolean => consume({ id }).length === 1,
    /** @throws Error if the answer was used before: a defect of the caller. */
    consumeOnce(id: string | undefined): void {
      if (id !== undefined && !store.consume(id))
        throw new Error(`the answer ${id} was used before`);
    },
    /** Makes consumed answers valid again, since their effect did not happen. True if there are any. */
    releaseAnswers: (intentId: string): boolean => release({ intentId }).length > 0,
  };
  return store;
}
