import {
  createQuestionFocus,
  type QuestionFocus,
  type QuestionFocusParts,
} from '../program/input/question-focus.ts';
import { isWaiting, noteWork } from '../program/runs/live-run.ts';

/** The questions of one run at its terminal. */
export interface RunQuestions extends QuestionFocus {
  /** Whether something works: not while only a person is waited for. */
  isWorking(): boolean;
}

export interface RunQuestionsParts
  extends Pick<QuestionFocusParts, 'context' | 'openQuestionPart' | 'onFree'> {
  /** Nothing else is running, and every question was skipped. */
  readonly onIdle: () => void;
}

export function createRunQuestions({ onIdle, ...parts }: RunQuestionsParts): RunQuestions {
  const work = { working: new Set<string>(), asked: new Set<string>() };
  const focus = createQuestionFocus({
    ...parts,
    isBusy: () => false,
    onSkip: (runId) => {
      if (work.working.size === 0 && focus.unskippedOf(runId) === 0) onIdle();
    },
  });
  return {
    ...focus,
    isWorking: () => !isWaiting(work),
    onEvent(event) {
      noteWork(work, event);
      focus.onEvent(event);
    },
  };
}
