import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { quoteWord } from '../text/quote-word.ts';

interface NamedSteps {
  readonly subtasks: readonly Pick<RunDocument['subtasks'][number], 'description' | 'error'>[];
}

/** The command line of a task that named a missing file, with the most similar name. Only of a run of one step: its words are the task. */
export function correctedRun({ subtasks }: NamedSteps): string | undefined {
  const [only] = subtasks;
  if (subtasks.length !== 1 || only?.error?.code !== 'FILE_MISSING') return undefined;
  const [, written, meant] =
    /^No \w+ `(.+)`\. Did you mean `(.+)`\?$/.exec(only.error.message) ?? [];
  if (written === undefined || meant === undefined) return undefined;
  // The name is written in full, but not understood.
  if (only.description.includes(meant)) return undefined;
  const task = only.description.replace(written, () => meant);
  return task === only.description ? undefined : `capstan run ${quoteWord(task)}`;
}
