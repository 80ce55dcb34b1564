import { escapeText } from '../../contract/text/escape-text.ts';
import type { ClosedRun } from '../report/closing-lines.ts';
import { workflowCommand } from './workflow-command.ts';

/** GitHub shows at most 10 of a step. */
const MAX_COUNT = 10;

/** One error annotation for each failed subtask, or for the run if it failed without one. */
export function annotations({ subtasks, error, status }: ClosedRun): readonly string[] {
  const failed = subtasks.filter((one) => one.status === 'failed');
  const found = failed.map((one) =>
    errorCommand(one.description.split('\n')[0] ?? one.id, one.error?.message ?? one.reason ?? ''),
  );
  if (found.length > 0) return found.slice(0, MAX_COUNT);
  return status === 'failed' && error ? [errorCommand('Capstan', error.message)] : [];
}

const errorCommand = (title: string, message: string): string =>
  workflowCommand('error', escapeText(message, true), { title: escapeText(title) });
