import { relative } from 'node:path';
import { fileEffectsOf, withRenames } from '../../broker/intent/record.ts';
import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import type {
  PatternPreview,
  Question,
  QuestionHistory,
} from '../../contract/documents/question-documents.ts';
import { editableSteps } from '../../contract/plan-preview.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { matchesAnswer, patternProblem } from '../../policy/rules/answer-pattern.ts';
import { operationIn } from '../../tools/define/tool.ts';
import { toolbox, toolOf } from '../../tools/toolbox.ts';
import { type ListApprovals, listApprovals } from '../approvals/find-approval.ts';
import { proposePattern } from '../approvals/propose-pattern.ts';
import { canRemember, defaultEndAfter } from '../approvals/remember-terms.ts';

/** Open questions, oldest first; with `all` answered ones too, newest first. */
export const listQuestions = (stores: Stores, options?: ListApprovals): Question[] =>
  listApprovals(stores, options).map((one) => questionDocument(stores, one));

export function questionDocument(
  stores: Pick<Stores, 'journal' | 'runs' | 'now'>,
  approval: Approval,
): Question {
  const { runId, intentId, workspace } = approval;
  const intent = stores.journal.intentsOf(runId).find(({ id }) => id === intentId);
  return {
    ...withDocumentKeys(approval),
    files: (intent ? withRenames(fileEffectsOf(intent)) : []).map(({ path, from, diff }) => ({
      path: relative(workspace, path),
      diff,
      ...(from === undefined ? {} : { from: relative(workspace, from) }),
    })),
    task: stores.runs.find(runId)?.task ?? '',
    plan: approval.plan ?? null,
    editable_steps: approval.plan ? editableSteps(approval.plan) : null,
    asked_at: approval.createdAt,
    always: canRemember(approval)
      ? {
          pattern: proposePattern(approval) ?? null,
          scopes: ['run', 'capsule'],
          until: defaultEndAfter(stores.now()),
        }
      : null,
  };
}

const MAX_ANSWERS = 100;

export function questionHistory(
  { db, trust }: Pick<Stores, 'db' | 'trust'>,
  { capsuleId, operation, tier }: Approval,
): QuestionHistory {
  const rows = db
    .prepare<[string, string, number], { at: string; answer: string }>(`
      SELECT answered_at AS at, answer FROM approvals
      WHERE capsule_id = ? AND operation = ? AND answer IS NOT NULL AND answered_at IS NOT NULL
      ORDER BY answered_at DESC LIMIT ?`)
    .all(capsuleId, operation, MAX_ANSWERS);
  const level = trust.list(capsuleId).find((one) => one.tier === tier)?.level;
  return {
    answers: rows.toReversed().map(({ at, answer }) => ({ at, is_allowed: answer !== 'deny' })),
    trust: level ?? 'supervised',
  };
}

const LAST_REQUESTS = 100;

export function previewPattern(
  { db }: Pick<Stores, 'db'>,
  { capsuleId, operation }: Approval,
  pattern: string,
  answer: 'approve' | 'deny',
): PatternPreview {
  const problem = patternProblem(pattern, operation, toolOf(operation)?.remembers) ?? null;
  const rows = db
    .prepare<[string, string, number], { request: string; requestHash: string }>(`
      SELECT request, request_hash AS requestHash FROM intents
      WHERE capsule_id = ? AND name = ? ORDER BY id DESC LIMIT ?`)
    .all(capsuleId, operation, LAST_REQUESTS);
  const isMatch = ({ request, requestHash }: (typeof rows)[number]) => {
    const found = operationIn(JSON.parse(request), toolbox);
    return found !== undefined && matchesAnswer(pattern, { operation: found, requestHash }, answer);
  };
  const matched = problem === null ? rows.filter(isMatch).length : 0;
  return { is_valid: problem === null, problem, matched, of: rows.length };
}
