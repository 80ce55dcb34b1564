import { relative } from 'node:path';
import type { FileEffect } from '../../broker/intent/record.ts';
import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import type { Question } from '../../contract/documents/question-documents.ts';
import { editableSteps } from '../../contract/plan-preview.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { type ListApprovals, listApprovals } from '../approvals/find-approval.ts';
import { proposePattern } from '../approvals/propose-pattern.ts';
import { canRemember } from '../approvals/remember-terms.ts';

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Open questions, oldest first; with `all` answered ones too, newest first. */
export const listQuestions = (stores: Stores, options?: ListApprovals): Question[] =>
  listApprovals(stores, options).map((one) => questionDocument(stores, one));

export function questionDocument(
  stores: Pick<Stores, 'journal' | 'runs' | 'now'>,
  approval: Approval,
): Question {
  const intent = approval.intentId
    ? stores.journal.intentsOf(approval.runId).find(({ id }) => id === approval.intentId)
    : undefined;
  const effects = (intent?.effects ?? []) as readonly FileEffect[];
  return {
    ...withDocumentKeys(approval),
    files: effects
      .filter(({ isNamed }) => isNamed !== true)
      .map(({ path, diff }) => ({ path: relative(approval.workspace, path), diff })),
    task: stores.runs.find(approval.runId)?.task ?? '',
    plan: approval.plan ?? null,
    editable_steps: approval.plan ? editableSteps(approval.plan) : null,
    asked_at: approval.createdAt,
    always: canRemember(approval)
      ? {
          pattern: proposePattern(approval) ?? null,
          scopes: ['run', 'capsule'],
          until: new Date(stores.now().getTime() + DEFAULT_DAYS * DAY_MS).toISOString(),
        }
      : null,
  };
}
