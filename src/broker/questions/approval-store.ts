import type { Answer, Approval, ApprovalAnswer, NewApproval } from '../../contract/approval.ts';
import type { PlanPreview } from '../../contract/plan-preview.ts';
import { createDeadlineClock } from '../../db/deadline-clock.ts';
import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { wellFormed } from '../../platform/well-formed.ts';
import { REDACTED, type Redactor } from '../../policy/secrets/redact.ts';
import type { Audit } from '../audit/audit.ts';

/** Questions to people. Plain statements, to be called inside the journal's transactions. */
export interface ApprovalStore {
  /** A new row, not written yet. Secrets are redacted, and the details say so. */
  draft(question: NewApproval): Approval;
  insert(approval: Approval): void;
  find(id: string): Approval | undefined;
  /** Those whose id ends with these characters. */
  endingWith(suffix: string): readonly Approval[];
  /** Of every run, oldest first. */
  pending(): readonly Approval[];
  of(runId: string): readonly Approval[];
  /** True for the first answer before the deadline, false for any other. */
  decide(id: string, given: Answer): boolean;
  /** The deadline of a question that is asked now, as ISO 8601. */
  deadlineIn(ms: number): string;
  /** Whether the deadline of a question has passed, also if the wall clock was set back. */
  isOverdue(approval: Pick<Approval, 'expiresAt'>): boolean;
  /** Whether a question is pending past its deadline. */
  hasOverdue(): boolean;
  /** Sets questions past their deadline to `expired`. Returns their ids. */
  expireOverdue(): readonly string[];
  /** Sets pending questions about an operation to `expired`, because they no longer show what it would do. Returns their ids. */
  withdraw(intentId: string): readonly string[];
  /** Sets pending questions of a run to `expired`: the run has ended. */
  close(runId: string): void;
  /** True once: an answer is valid for one effect. */
  consume(id: string): boolean;
  /** Makes consumed answers valid again, since their effect did not happen. Returns their ids. */
  releaseAnswers(intentId: string): readonly string[];
}

const COLUMNS = {
  id: 'id',
  runId: 'run_id',
  intentId: 'intent_id',
  subtaskId: 'subtask_id',
  capsuleId: 'capsule_id',
  kind: 'kind',
  question: 'question',
  why: 'why',
  details: 'details',
  capsuleReason: 'capsule_reason',
  operation: 'operation',
  target: 'target',
  tier: 'tier',
  costMicroUsd: 'cost_micro_usd',
  requestHash: 'request_hash',
  workspace: 'workspace',
  capsuleHash: 'capsule_hash',
  binding: 'binding',
  policyVersion: 'policy_version',
  isForced: 'is_forced',
  choices: 'choices',
  freeText: 'free_text',
  plan: 'plan',
  status: 'status',
  answer: 'answer',
  answeredBy: 'answered_by',
  note: 'note',
  editedSteps: 'edited_steps',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  answeredAt: 'answered_at',
} as const satisfies Record<keyof Approval, string>;

const SELECT = `SELECT ${Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(', ')} FROM approvals`;

const INSERT = `INSERT INTO approvals (${Object.values(COLUMNS).join(', ')})
  VALUES (${Object.keys(COLUMNS)
    .map((name) => `@${name}`)
    .join(', ')})`;

const DECIDE = `
  UPDATE approvals SET status = 'answered', answer = @answer, answered_by = @by, note = @note, edited_steps = @steps,
    answered_at = @at
  WHERE id = @id AND status = 'pending' AND binding = @binding AND (expires_at IS NULL OR expires_at > @at)
    AND (free_text = 1 OR EXISTS (SELECT 1 FROM json_each(choices) WHERE value = @answer))`;

const WITHDRAW = `
  UPDATE approvals SET status = 'expired', answered_at = @at
  WHERE intent_id = @intentId AND status = 'pending' AND kind IN ('tool', 'changed_file', 'route', 'plan') RETURNING id`;

const NEXT_DEADLINE = "SELECT min(expires_at) FROM approvals WHERE status = 'pending'";

const CLOSE = `
  UPDATE approvals SET status = 'expired', answered_at = @at
  WHERE run_id = @runId AND status = 'pending' RETURNING id`;

type ApprovalRow = Omit<Approval, 'isForced' | 'choices' | 'freeText' | 'plan' | 'editedSteps'> & {
  plan: string | null;
  editedSteps: string | null;
  isForced: 0 | 1;
  freeText: 0 | 1;
  choices: string;
};

const parse = (row: ApprovalRow): Approval => ({
  ...row,
  isForced: row.isForced === 1,
  freeText: row.freeText === 1,
  choices: JSON.parse(row.choices) as ApprovalAnswer[],
  plan: row.plan === null ? null : (JSON.parse(row.plan) as PlanPreview),
  editedSteps: row.editedSteps === null ? null : (JSON.parse(row.editedSteps) as unknown[]),
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

const stepsText = (steps: Answer['editedSteps'], { json }: Redactor): string | null =>
  steps ? json(steps) : null;

export function createApprovalStore(
  db: Db,
  audit: Audit,
  now: () => Date,
  redactor: Redactor,
): ApprovalStore {
  const insert = db.prepare(INSERT);
  const find = db.prepare<[string], ApprovalRow>(`${SELECT} WHERE id = ?`);
  const many = (rest: string) => db.prepare<string[], ApprovalRow>(`${SELECT} ${rest}`);
  const endingWith = many('WHERE substr(id, -length(?)) = ? ORDER BY id LIMIT 20');
  const pending = many("WHERE status = 'pending' ORDER BY created_at, id");
  const ofRun = many('WHERE run_id = ? ORDER BY created_at, id');
  const decide = db.prepare(DECIDE);
  const expire = db
    .prepare<[{ at: string }], string>(`
      UPDATE approvals SET status = 'expired', answered_at = @at
      WHERE status = 'pending' AND expires_at <= @at RETURNING id`)
    .pluck();
  const nextDeadline = db.prepare<[], string | null>(NEXT_DEADLINE).pluck();
  const consume = db
    .prepare<[{ id: string; at: string }], string>(`
      UPDATE approvals SET status = 'consumed', consumed_at = @at
      WHERE id = @id AND status = 'answered' RETURNING run_id`)
    .pluck();
  const releaseAnswers = db
    .prepare<[string], string>(`
      UPDATE approvals SET status = 'answered', consumed_at = NULL
      WHERE intent_id = ? AND status = 'consumed' RETURNING id`)
    .pluck();
  const withdraw = db.prepare<[{ intentId: string; at: string }], string>(WITHDRAW).pluck();
  const close = db.prepare<[{ runId: string; at: string }], string>(CLOSE).pluck();
  const audited = (action: string, runId: string, ref: string) =>
    audit.append({ actor: 'coordinator', action, runId, ref, detail: {} });
  const clock = createDeadlineClock(db, now);
  const at = () => clock.now().toISOString();
  const isOverdue: ApprovalStore['isOverdue'] = ({ expiresAt }) =>
    expiresAt !== null && expiresAt <= at();
  return {
    draft: (question) => ({
      id: uuidv7(),
      freeText: false,
      plan: null,
      ...wellFormed(withoutSecrets(question, redactor)),
      ...UNANSWERED,
      createdAt: now().toISOString(),
    }),
    insert(approval) {
      insert.run(valuesOf(approval));
      clock.keep();
    },
    find(id) {
      const row = find.get(id);
      return row && parse(row);
    },
    endingWith: (suffix) => endingWith.all(suffix, suffix).map(parse),
    pending: () => pending.all().map(parse),
    of: (runId) => ofRun.all(runId).map(parse),
    decide(id, { answer, by, note = null, binding, editedSteps }) {
      const said = wellFormed(redactor.redact({ answer, by, note }));
      const steps = stepsText(editedSteps, redactor);
      return decide.run({ id, ...said, steps, binding, at: at() }).changes === 1;
    },
    deadlineIn: (ms) => new Date(clock.now().getTime() + ms).toISOString(),
    isOverdue,
    hasOverdue: () => isOverdue({ expiresAt: nextDeadline.get() ?? null }),
    expireOverdue() {
      clock.keep();
      return expire.all({ at: at() });
    },
    withdraw: (intentId) => withdraw.all({ intentId, at: at() }),
    close(runId) {
      for (const id of close.all({ runId, at: at() })) audited('approval.expired', runId, id);
    },
    consume(id) {
      const runId = consume.get({ id, at: at() });
      if (runId !== undefined) audited('approval.consumed', runId, id);
      return runId !== undefined;
    },
    releaseAnswers: (intentId) => releaseAnswers.all(intentId),
  };
}
