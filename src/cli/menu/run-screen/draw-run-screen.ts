import { type Drawn, type Frame, spinnerAt } from '../frame.ts';
import { drawLine } from '../input/draw-line.ts';
import type { InputLine } from '../input/input-line.ts';
import { composeQuestion, composeScreen, questionsHint } from '../program/screen/compose-screen.ts';
import type { RunPart } from '../run/run-part.ts';
import type { RunQuestions } from './run-questions.ts';

/** The state that is drawn. */
export interface DrawnRun {
  readonly part: RunPart | undefined;
  readonly questions: RunQuestions | undefined;
  readonly progress: string;
  readonly isStopped: boolean;
  readonly line: InputLine;
}

/** Draws the live area of a run outside a conversation: its question or hint, its steps, its budget. */
export function drawRunScreen(state: DrawnRun, frame: Frame): Drawn {
  const { part, questions, progress, isStopped } = state;
  const question = questions?.focused();
  const begins = `${frame.style.cyan(spinnerAt(frame))} ${progress === '' ? 'starting' : progress}`;
  const run = (room: Frame) =>
    part && progress === '' ? part.draw(room, { isQuestion: question !== undefined }) : [begins];
  const parts = { run, others: [] };
  if (!question)
    return composeScreen({ ...parts, hint: hintOf(questions, isStopped, frame) }, frame);
  const line = (room: Frame) => drawLine(state.line, room, NO_COMPLETION);
  return composeQuestion(question, { ...parts, line }, frame);
}

const NO_COMPLETION = { candidates: () => [], about: () => '' };

function hintOf(
  questions: RunQuestions | undefined,
  isStopped: boolean,
  { symbols }: Frame,
): string {
  const waiting = questions?.waiting() ?? 0;
  if (isStopped) return `parking${symbols.separator}Ctrl-C stops it at once`;
  if (waiting > 0) return questionsHint(waiting, symbols);
  return `Esc parks it${symbols.separator}Tab next step`;
}
