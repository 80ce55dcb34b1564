import { check, type Verdict } from './check.ts';
import type { RunDocument } from './run-capstan.ts';
import type { BenchTask } from './task.ts';

/**
 * `right`; `failed`: not done, and reported with a reason; `WRONG`: reported as done although it is not, or no reason
 * given.
 */
export type Outcome = 'right' | 'failed' | 'WRONG';

export interface Row {
  readonly id: string;
  readonly outcome: Outcome;
  readonly status: string;
  readonly detail: string;
  readonly durationMs: number;
}

export const row = (
  { id }: BenchTask,
  outcome: Outcome,
  detail: string,
  document?: RunDocument,
): Row => ({
  id,
  outcome,
  detail,
  status: document?.status ?? 'none',
  durationMs: document?.duration_ms ?? 0,
});

/** Compares what a run produced with what the task expects. */
export function judge(
  task: BenchTask,
  document: RunDocument,
  places: { workspace: string; inputs: string },
): Row {
  const answer = document.answer ?? document.error?.message ?? '';
  const wrong = check(task.expected, { ...places, answer }).filter(({ isRight }) => !isRight);
  if (document.status === 'completed') return judgeDone(task, document, wrong);
  if (document.reason === null || answer.trim() === '') {
    return row(task, 'WRONG', 'failed without a reason', document);
  }
  if (task.mustFail !== true) return row(task, 'failed', causeOf(document), document);
  return judgeRefusal(task, document, wrong);
}

function judgeDone(task: BenchTask, document: RunDocument, wrong: readonly Verdict[]): Row {
  if (task.mustFail === true)
    return row(task, 'WRONG', 'said to be done, and can not be', document);
  return row(task, wrong.length === 0 ? 'right' : 'WRONG', whatOf(wrong), document);
}

/** A refusal that left files behind is wrong; one that only names another cause is still honest. */
function judgeRefusal(task: BenchTask, document: RunDocument, wrong: readonly Verdict[]): Row {
  if (wrong.length === 0) return row(task, 'right', 'fails, as it should', document);
  const isHonest = wrong.every(({ isWording }) => isWording);
  return row(
    task,
    isHonest ? 'failed' : 'WRONG',
    isHonest ? causeOf(document) : whatOf(wrong),
    document,
  );
}

const whatOf = (wrong: readonly Verdict[]) => wrong.map(({ what }) => what).join('; ');

const causeOf = ({ subtasks = [], error }: RunDocument) =>
  (subtasks.find((subtask) => subtask.error !== null)?.error ?? error)?.message.split('\n')[0] ??
  '';
