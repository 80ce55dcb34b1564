import type { RunDocument } from '../../app/runs/show/run-document.ts';

/**
 * The answer of a run as a person reads it after its steps; null if there is none, or if nothing was done and it only
 * repeats why the steps failed. Steps show the first line of a reason only.
 */
export function finalAnswer(
  document: Pick<RunDocument, 'answer' | 'status' | 'subtasks'>,
): string | null {
  const { answer, status, subtasks } = document;
  if (answer === null || answer === '' || status !== 'failed') return answer || null;
  const failures = subtasks.flatMap(({ error }) => error?.message.trim() ?? []);
  const isRepeated =
    failures.length > 0 &&
    subtasks.every((one) => one.status !== 'completed') &&
    failures.every((message) => !message.includes('\n') && answer.includes(message));
  return isRepeated ? null : answer;
}
