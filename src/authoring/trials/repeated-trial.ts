import { overlayVersion } from '../../registry/capsule-metrics.ts';
import { type AuthoredTask, type Subject, type TrialRunner, tryTask } from './authored-task.ts';
import { type Difference, differenceOf } from './difference.ts';
import type { RecordedAnswer } from './recorded-answers.ts';
import type { TrialOutcome, TrialResult } from './trial.ts';

/** One repetition. */
export interface RepeatedRun {
  /** 1, 2, … */
  readonly number: number;
  /** SHA-256 of the overlay. */
  readonly overlay: string;
  readonly result: TrialOutcome;
  /** Unmet expectations of its case; undefined if it is not a case. */
  readonly problems: readonly string[] | undefined;
  /** From the previous run; undefined for the first. */
  readonly difference: Difference | undefined;
}

/** Further answers are not kept from one run to the next. */
const MAX_ANSWERS = 5_000;

/** Runs the task once more. */
export type RepeatedTrial = ReturnType<typeof createRepeatedTrial>;

/** Runs a task again and again. Each run replays the answers of earlier ones, also of cancelled ones, to unchanged requests. */
export function createRepeatedTrial() {
  let number = 0;
  let before: TrialResult | undefined;
  let known: readonly RecordedAnswer[] = [];

  return async (
    runner: TrialRunner,
    subject: Subject,
    task: AuthoredTask,
  ): Promise<RepeatedRun> => {
    const answers = [...known, ...missingIn(known, task.answers)].slice(0, MAX_ANSWERS);
    const onCancelled = (got: readonly RecordedAnswer[]) => {
      known = [...missingIn(answers, got), ...answers].slice(0, MAX_ANSWERS);
    };
    const keeping: TrialRunner = {
      ...runner,
      run: (trial) => runner.run({ ...trial, onCancelled }),
    };
    const { result, problems } = await tryTask(keeping, subject, { ...task, answers });
    const difference = before && differenceOf(before, result);
    known = [...result.answers, ...missingIn(result.answers, answers)].slice(0, MAX_ANSWERS);
    before = result;
    number += 1;
    return {
      number,
      overlay: overlayVersion(subject.capsule.overlay),
      result,
      problems,
      difference,
    };
  };
}

function missingIn(some: readonly RecordedAnswer[], more: readonly RecordedAnswer[]) {
  const asked = new Set(some.map((answer) => answer.asked));
  return more.filter((answer) => !asked.has(answer.asked));
}
