import { TaskError } from '../../../offline/task-error.ts';

/** Which settings give a run a language model. */
export const modelSettings =
  'choose a language model with CAPSTAN_PROVIDER (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama)';

/** The failure of a capsule that can't place some words of its task; nothing has been done then. */
export const notUnderstood = (task: string, words: readonly string[], can: string): TaskError => {
  const named = words.map((word) => `"${word}"`).join(', ');
  const problem =
    words.length === 0
      ? `"${shorten(task)}" is not a task for me`
      : `I can't place ${named} in "${shorten(task)}"`;
  return new TaskError(
    'NOT_UNDERSTOOD',
    `${problem}. ${can} Say it in such words, or ${modelSettings}.`,
  );
};

/** The failure of a capsule that understood, and has no way to do it. */
export const notSupported = (problem: string): TaskError => new TaskError('NOT_SUPPORTED', problem);

/** A task as one short line. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
