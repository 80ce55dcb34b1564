import type { InputLine } from '../input/input-line.ts';
import { answerKey } from '../input/line-key.ts';
import type { HeldScreen } from '../program/screen/hold-screen.ts';
import type { QuestionPart } from '../question-part.ts';
import { isCtrl, isKey, type KeyInput } from '../terminal/key.ts';
import type { RunQuestions } from './run-questions.ts';

export interface RunKeyParts {
  readonly state: {
    line: InputLine;
    readonly part: { showNextStep(): boolean } | undefined;
  };
  readonly questions: RunQuestions;
  readonly screen: HeldScreen;
  /** Parks the run. */
  readonly park: () => void;
  /** Acts as SIGINT. */
  readonly interrupt: () => void;
}

/** The keys while a run is shown without an input line: Esc parks it, Ctrl-C acts as SIGINT. */
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
