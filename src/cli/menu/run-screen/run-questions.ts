import type { CapstanEvent } from '../../../contract/event.ts';
import {
  createQuestionFocus,
  type QuestionFocus,
  type QuestionFocusParts,
} from '../program/input/question-focus.ts';

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
  const working = new Set<string>();
  const asked = new Set<string>();
  const note = (event: CapstanEvent) => {
    if (event.type === 'subtask.started') working.add(event.subtask_id);
    if (event.type === 'subtask.ended') working.delete(event.subtask_id);
    if (event.type === 'approval.asked') {
      working.delete(event.subtask_id);
      asked.add(event.approval_id);
    }
    if (event.type === 'approval.decided') {
      asked.delete(event.approval_id);
      if (event.subtask_id !== '') working.add(event.subtask_id);
    }
  };
  const focus = createQuestionFocus({
    ...parts,
    isBusy: () => false,
    onSkip: (runId) => {
      if (working.size === 0 && focus.unskippedOf(runId) === 0) onIdle();
    },
  });
  return {
    ...focus,
    isWorking: () => asked.size === 0 || working.size > 0,
    onEvent(event) {
      note(event);
      focus.onEvent(event);
    },
  };
}
