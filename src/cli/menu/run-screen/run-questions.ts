import type { InputLine } from '../input/input-line.ts';
import { answerKey } from '../input/line-key.ts';
import {
  createQuestionFocus,
  type QuestionFocus,
  type QuestionFocusParts,
} from '../program/input/question-focus.ts';
import { isWaiting, noteWork } from '../program/runs/live-run.ts';
import type { HeldScreen } from '../program/screen/hold-screen.ts';
import type { QuestionPart } from '../question/question-part.ts';
import { isCtrl, isKey, type KeyInput } from '../terminal/key.ts';

/** The questions of one run at its terminal. */
export interface RunQuestions extends QuestionFocus {
  /** Whether work is in progress: not while it only waits for a person. */
  isWorking(): boolean;
}

export interface RunQuestionsParts
  extends Pick<QuestionFocusParts, 'context' | 'openQuestionPart' | 'onFree'> {
  /** Called when no step works and every question was skipped. */
  readonly onIdle: () => void;
}

/** Creates the questions of a run that has no conversation. */
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

export interface RunKeyParts {
  readonly state: {
    line: InputLine;
    readonly part: { showNextStep(): boolean } | undefined;
  };
  readonly questions: RunQuestions;
  readonly screen: HeldScreen;
  /** Parks the run. */
  readonly park: () => void;
  /** Acts like SIGINT. */
  readonly interrupt: () => void;
}

/** Handles the keys of a run without an input line: Esc parks it, Ctrl-C acts like SIGINT. */
export function createRunKeys({
  state,
  questions,
  screen,
  park,
  interrupt,
}: RunKeyParts): (input: KeyInput) => void {
  return (input) => {
    screen.loop.redrawNow();
    if (isCtrl(input, 'c') || isCtrl(input, 'd')) return interrupt();
    const question = questions.focused();
    if (question) onQuestionKey(question, state, input);
    else if (isKey(input, 'esc')) park();
    else if (isKey(input, 'tab')) questions.toQuestion() || state.part?.showNextStep();
    questions.onKey(true);
  };
}

function onQuestionKey(question: QuestionPart, state: RunKeyParts['state'], input: KeyInput): void {
  if (!question.isEditing && isKey(input, 'esc')) question.skip();
  else if (question.takesText && !question.isEditing)
    state.line = answerKey(state.line, input, question);
  else question.onKey(input);
}
