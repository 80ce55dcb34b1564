/** Maximum length of a task, and of a message to a run, in characters. */
export const MAX_TASK_CHARS = 100_000;
