import { relative } from 'node:path';
import type { FileEffect } from '../../broker/intent/record.ts';
import type { Approval } from '../../contract/approval.ts';
import { editableSteps, type PlanPreview } from '../../contract/plan-preview.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { canRemember } from '../approvals/can-remember.ts';
import { type ListApprovals, listApprovals } from '../approvals/list-approvals.ts';
import { proposePattern } from '../approvals/propose-pattern.ts';

/** A question with everything that helps to answer it. The keys are those of its JSON document. */
export interface QuestionDocument {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly question: string;
  readonly why: string;
  /** The whole request. */
  readonly details: string;
  /** Files that it changes, with their difference; null if there is none to show. */
  readonly files: readonly { readonly path: string; readonly diff: string | null }[];
  /** Untrusted text. */
  readonly capsule_reason: string;
  readonly operation: string;
  readonly target: string;
  readonly tier: number;
  readonly cost_usd: number | null;
  readonly run_id: string;
  readonly task: string;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly workspace: string;
  readonly binding: string;
  readonly is_forced: boolean;
  readonly choices: readonly string[];
  readonly free_text: boolean;
  /** Of kind `plan`; else null. */
  readonly plan: PlanPreview | null;
  /** The steps of `plan` as an approving answer takes them. */
  readonly editable_steps: ReturnType<typeof editableSteps> | null;
  readonly answer: string | null;
  readonly answered_by: string | null;
  readonly note: string | null;
  readonly asked_at: string;
  readonly expires_at: string | null;
  readonly answered_at: string | null;
  /** What a remembered answer may say at first; null if none is allowed. */
  readonly always: {
    /** Null: exactly this request. */
    readonly pattern: string | null;
    readonly scopes: readonly ('run' | 'capsule')[];
    readonly until: string;
  } | null;
}

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Open questions, oldest first; with `all` answered ones too, newest first. */
export const listQuestions = (stores: Stores, options?: ListApprovals): QuestionDocument[] =>
  listApprovals(stores, options).map((one) => questionDocument(stores, one));

export function questionDocument(
  stores: Pick<Stores, 'journal' | 'runs' | 'now'>,
  approval: Approval,
): QuestionDocument {
  const intent = approval.intentId
    ? stores.journal.intentsOf(approval.runId).find(({ id }) => id === approval.intentId)
    : undefined;
  const effects = (intent?.effects ?? []) as readonly FileEffect[];
  return {
    id: approval.id,
    kind: approval.kind,
    status: approval.status,
    question: approval.question,
    why: approval.why,
    details: approval.details,
    files: effects
      .filter(({ isNamed }) => isNamed !== true)
      .map(({ path, diff }) => ({ path: relative(approval.workspace, path), diff })),
    capsule_reason: approval.capsuleReason,
    operation: approval.operation,
    target: approval.target,
    tier: approval.tier,
    cost_usd: approval.costMicroUsd === null ? null : approval.costMicroUsd / 1e6,
    run_id: approval.runId,
    task: stores.runs.find(approval.runId)?.task ?? '',
    subtask_id: approval.subtaskId,
    capsule_id: approval.capsuleId,
    workspace: approval.workspace,
    binding: approval.binding,
    is_forced: approval.isForced,
    choices: approval.choices,
    free_text: approval.freeText,
    plan: approval.plan ?? null,
    editable_steps: approval.plan ? editableSteps(approval.plan) : null,
    answer: approval.answer,
    answered_by: approval.answeredBy,
    note: approval.note,
    asked_at: approval.createdAt,
    expires_at: approval.expiresAt,
    answered_at: approval.answeredAt,
    always: canRemember(approval)
      ? {
          pattern: proposePattern(approval) ?? null,
          scopes: ['run', 'capsule'],
          until: new Date(stores.now().getTime() + DEFAULT_DAYS * DAY_MS).toISOString(),
        }
      : null,
  };
}
