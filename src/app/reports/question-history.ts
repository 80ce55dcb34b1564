import type { Approval } from '../../contract/approval.ts';
import type {
  PatternPreview,
  QuestionHistory,
} from '../../contract/documents/question-documents.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { matchesAnswer, patternProblem } from '../../policy/rules/answer-pattern.ts';
import { toolbox } from '../../tools/toolbox.ts';

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
): PatternPreview {
  const problem = patternProblem(pattern, operation) ?? null;
  const rows = db
    .prepare<[string, string, number], { request: string; requestHash: string }>(`
      SELECT request, request_hash AS requestHash FROM intents
      WHERE capsule_id = ? AND name = ? ORDER BY id DESC LIMIT ?`)
    .all(capsuleId, operation, LAST_REQUESTS);
  const isMatch = ({ request, requestHash }: (typeof rows)[number]) => {
    const { tool = '', args } = JSON.parse(request) as { tool?: string; args?: unknown };
    const found = toolbox.get(tool)?.prepare(args).operation;
    return found !== undefined && matchesAnswer(pattern, { operation: found, requestHash });
  };
  const matched = problem === null ? rows.filter(isMatch).length : 0;
  return { is_valid: problem === null, problem, matched, of: rows.length };
}
