import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { matchesAnswer } from '../../policy/answer-pattern.ts';

/**
 * A pattern that leaves out the very request it is given for is a slip of the pen.
 *
 * @throws AppError `USAGE`.
 */
export async function assertFits(
  pattern: string,
  { runId, intentId, requestHash, target }: Approval,
  { journal }: Stores,
): Promise<void> {
  const { toolbox } = await import('../../tools/toolbox.ts');
  const intent = journal.intentsOf(runId).find(({ id }) => id === intentId);
  const { tool = '', args } = (intent?.request ?? {}) as { tool?: string; args?: unknown };
  const operation = toolbox.get(tool)?.prepare(args).operation;
  if (!operation || matchesAnswer(pattern, { operation, requestHash })) return;
  const problem = `--pattern ${escapeText(pattern)} does not match what is asked here: ${escapeText(target)}`;
  throw new AppError('USAGE', { problem });
}
