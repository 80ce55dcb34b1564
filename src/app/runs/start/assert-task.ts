import { MAX_TASK_CHARS } from '../../../contract/limits.ts';
import { usage } from '../../../contract/usage.ts';

/** @throws AppError `USAGE` if a task is empty or too long. */
export function assertTask(task: string): void {
  if (task.trim() === '') throw usage('The task is empty.');
  if (task.length > MAX_TASK_CHARS)
    throw usage(
      `The task has ${task.length} characters; ${MAX_TASK_CHARS} are allowed. Put the material into a file and name it.`,
    );
}
