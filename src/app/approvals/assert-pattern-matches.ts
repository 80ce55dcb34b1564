import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { matchesAnswer } from '../../policy/rules/answer-pattern.ts';
import { toolbox } from '../../tools/toolbox.ts';

/**
 * Refuses a pattern that does not match the request of the question itself.
 *
 * @throws AppError `USAGE`.
 */
export function assertPatternMatches(
  pattern: string,
  { runId, intentId, requestHash, target }: Approval,
  { journal }: Pick<Stores, 'journal'>,
): void {
  const intent = journal.intentsOf(runId).find(({ id }) => id === intentId);
  const { tool = '', args } = (intent?.request ?? {}) as { tool?: string; args?: unknown };
  const operation = toolbox.get(tool)?.prepare(args).operation;
  if (!operation || matchesAnswer(pattern, { operation, requestHash })) return;
  const problem = `remember.pattern ${escapeText(pattern)} does not match this request: ${escapeText(target)}`;
  throw new AppError('USAGE', { problem });
}
