import type { Capstan } from '../../../app/open-capstan.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { noticesOf } from '../../run/notices-of.ts';
import type { RunSurface } from '../../run/surfaces/run-surface.ts';
import { type Drawn, type Frame, SPINNER_MS, spinnerAt } from '../frame.ts';
import { drawLine } from '../input/draw-line.ts';
import { type InputLine, openLine } from '../input/input-line.ts';
import { answerKey } from '../input/line-key.ts';
import { LONG_RUN_MS } from '../program/create-context.ts';
import { createQuestionFocus, type QuestionFocus } from '../program/input/question-focus.ts';
import { partContext } from '../program/part-context.ts';
import { isWaiting, noteWork } from '../program/runs/live-run.ts';
import { composeQuestion, composeScreen, questionsHint } from '../program/screen/compose-screen.ts';
import { holdScreen } from '../program/screen/hold-screen.ts';
import { openRunPart, type RunPart } from '../run/open-run-part.ts';
import { isCtrl, isKey, type KeyInput } from '../terminal/key.ts';

/** The screen of one run outside a conversation. */
interface RunScreen {
  run: StartedRun | undefined;
  /** Undefined until the run is known. */
  part: RunPart | undefined;
  /** Progress before the plan: `Embedding capsules 12 of 40`. */
  progress: string;
  /** The free-text answer that is being typed. */
  line: InputLine;
  /** Whether the person asked to park it. */
  isStopped: boolean;
}

/**
 * Draws one run at a terminal until it ends. If stdout is not a terminal, it draws on stderr and prints the answer on stdout.
 *
 * @param logLevel Default: the log level in the run's settings.
 */
export function openRunScreen(
  capstan: Capstan,
  io: CommandIo,
  logLevel: StartedRun['logLevel'] | undefined,
): RunSurface {
  const startedMs = performance.now();
  const hasOutput = io.isOutputTerminal === true;
  const work = { working: new Set<string>(), asked: new Map<string, string>() };
  /** Output that is held until a question is answered. */
  const held: string[] = [];
  const state: RunScreen = {
    ...{ run: undefined, part: undefined, progress: '', line: openLine(), isStopped: false },
  };
  const screen = holdScreen(io, {
    output: hasOutput ? 1 : 2,
    draw: () => drawRun(state, questions, screen.frame()),
    onInput(input) {
      screen.loop.redrawNow();
      onKey(input, state, { questions, park });
    },
    onAgain: () => questions.focused()?.printAgain(),
    onSignal: () => {
      state.isStopped = true;
    },
  });
  const context = partContext(capstan, io, screen);
  const print = (text: string) =>
    questions.focused() ? void held.push(text) : context.print(text);
  const release = () => held.splice(0).forEach(context.print);
  const park = () => {
    state.isStopped = true;
    state.run?.interrupt();
  };
  const questions = createQuestionFocus({
    contextOf: () => context,
    isBusy: () => false,
    onFree: release,
    onSkip: (runId) => {
      if (work.working.size === 0 && questions.unskippedOf(runId) === 0) park();
    },
  });
  const stepMs = screen.frame().isReduced ? 1_000 : SPINNER_MS;
  const timer = setInterval(() => !isWaiting(work) && screen.loop.redraw(), stepMs);
  const close = () => {
    clearInterval(timer);
    questions.close();
    screen.close();
  };
  return {
    onEvent(event) {
      state.progress = '';
      noteWork(work, event);
      questions.onEvent(event);
      state.part?.onEvent(event);
      screen.loop.redraw();
    },
    onDelta: (delta) => state.part?.onDelta(delta),
    onProgress(done, total, what = 'Embedding capsules') {
      const isShown = done < total && !questions.focused();
      state.progress = isShown ? `${escapeText(what)} ${done} of ${total}` : '';
      screen.loop.redraw();
    },
    async begin(run) {
      const shown = { ...run, notices: noticesOf(run), logLevel: logLevel ?? run.logLevel };
      state.run = run;
      state.part = openRunPart(shown, { ...context, print }, { showsAnswer: hasOutput });
      if (state.isStopped) run.interrupt();
    },
    async end(document) {
      release();
      await state.part?.finish(document);
      release();
      if (performance.now() - startedMs > LONG_RUN_MS) context.bell('Capstan: a run ended');
      close();
      // At a terminal, the run part has printed the answer above the closing lines.
      if (!hasOutput && document.answer) io.stdout(`${document.answer.replace(/\n$/, '')}\n`);
    },
    close,
  };
}

/** The live area: the question or a hint, the steps, the budget. */
function drawRun(state: RunScreen, questions: QuestionFocus, frame: Frame): Drawn {
  const { part, progress } = state;
  const question = questions.focused();
  const begins = `${frame.style.cyan(spinnerAt(frame))} ${progress === '' ? 'starting' : progress}`;
  const run = (room: Frame) =>
    part && progress === '' ? part.draw(room, { isQuestion: question !== undefined }) : [begins];
  const parts = { run, others: [] };
  if (!question) {
    const hint = hintOf(questions.waiting(), state.isStopped, frame);
    return composeScreen({ ...parts, hint }, frame);
  }
  const line = (room: Frame) =>
    drawLine(state.line, room, { candidates: () => [], about: () => '' });
  return composeQuestion(question, { ...parts, line }, frame);
}

function hintOf(waiting: number, isStopped: boolean, { symbols }: Frame): string {
  if (isStopped) return `parking${symbols.separator}Ctrl-C stops it at once`;
  if (waiting > 0) return questionsHint(waiting, 'Esc parks the run', symbols);
  return `Esc parks it${symbols.separator}Tab next step`;
}

interface KeyParts {
  readonly questions: QuestionFocus;
  /** Parks the run. */
  readonly park: () => void;
}

/** A key of a run without an input line: Esc parks it, Ctrl-C acts like SIGINT. */
function onKey(input: KeyInput, state: RunScreen, { questions, park }: KeyParts): void {
  if (isCtrl(input, 'c') || isCtrl(input, 'd')) return void process.kill(process.pid, 'SIGINT');
  const question = questions.focused();
  if (question?.isEditing) question.onKey(input);
  else if (isKey(input, 'esc') && !(question?.takesText && state.line.search))
    question ? question.skip() : park();
  else if (question?.takesText) state.line = answerKey(state.line, input, question);
  else if (question) question.onKey(input);
  else if (isKey(input, 'tab')) questions.toQuestion() || state.part?.showNextStep();
  questions.onKey(true);
}
