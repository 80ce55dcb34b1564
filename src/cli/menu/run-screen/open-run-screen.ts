import type { Capstan } from '../../../app/open-capstan.ts';
import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, ModelDelta } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { noticesOf } from '../../run/notices-of.ts';
import type { RunSurface } from '../../run/surfaces/run-surface.ts';
import { SPINNER_MS } from '../frame.ts';
import { type InputLine, openLine } from '../input/input-line.ts';
import type { PartContext } from '../menu-context.ts';
import { partContext } from '../program/create-context.ts';
import { type HeldScreen, holdScreen } from '../program/screen/hold-screen.ts';
import { openQuestionPart } from '../question/open-question-part.ts';
import { openRunPart } from '../run/open-run-part.ts';
import type { RunPart } from '../run/run-part.ts';
import { loadInk } from '../terminal/load-ink.ts';
import { drawRunScreen } from './draw-run-screen.ts';
import { createRunKeys, createRunQuestions, type RunQuestions } from './run-questions.ts';

/** A run of at least this length alerts the person when it ends, in milliseconds. */
const LONG_RUN_MS = 10_000;

/**
 * Draws one run at a terminal until it ends. If stdout is not a terminal, it draws on stderr and prints the answer on stdout.
 *
 * @param logLevel Default: the log level in the run's settings.
 */
export async function openRunScreen(
  capstan: Capstan,
  io: CommandIo,
  logLevel: StartedRun['logLevel'] | undefined,
): Promise<RunSurface> {
  await loadInk();
  const startedMs = performance.now();
  const state = createState();
  const screen = holdScreen(io, {
    output: io.isOutputTerminal === true ? 1 : 2,
    draw: () => drawRunScreen(state, screen.frame()),
    onInput: (input) => keys(input),
    onSignal: () => noteStop(state),
  });
  const context = partContext(capstan, io, screen);
  const park = () => {
    noteStop(state);
    state.run?.interrupt();
  };
  const questions = createRunQuestions({
    context,
    openQuestionPart,
    onFree: () => releasePrints(state, context),
    onIdle: park,
  });
  state.questions = questions;
  const interrupt = () => void process.kill(process.pid, 'SIGINT');
  const keys = createRunKeys({ state, questions, screen, park, interrupt });
  const timer = setInterval(
    () => questions.isWorking() && screen.loop.redraw(),
    screen.frame().isReduced ? 1_000 : SPINNER_MS,
  );
  const close = () => {
    clearInterval(timer);
    questions.close();
    screen.close();
  };
  return {
    ...listenersOf(state, questions, screen),
    async begin(run) {
      const notices = noticesOf(run);
      const shown = { ...run, notices, logLevel: logLevel ?? run.logLevel };
      state.open(run, openPart(shown, { state, context, io }));
    },
    async end(document) {
      releasePrints(state, context);
      await state.part?.finish(document);
      if (performance.now() - startedMs > LONG_RUN_MS) context.bell('Capstan: a run ended');
      close();
      printAnswer(document, io);
    },
    close,
  };
}

/** The state of the screen of one run. */
export interface RunScreenState {
  run: StartedRun | undefined;
  part: RunPart | undefined;
  questions: RunQuestions | undefined;
  /** Events that arrived before the run was known. */
  readonly early: (CapstanEvent | ModelDelta)[];
  /** Output that is held until a question is answered. */
  held: string[];
  /** Progress before the plan: `Embedding capsules 12 of 40`. */
  progress: string;
  /** The free-text answer that is being typed. */
  line: InputLine;
  /** Whether the person asked to park it. */
  isStopped: boolean;
  open(run: StartedRun, part: RunPart): void;
}

function createState(): RunScreenState {
  const state: RunScreenState = {
    run: undefined,
    part: undefined,
    questions: undefined,
    early: [],
    held: [],
    progress: '',
    line: openLine(),
    isStopped: false,
    open(run, part) {
      state.run = run;
      state.part = part;
      for (const one of state.early.splice(0)) pass(state, one);
      if (state.isStopped) run.interrupt();
    },
  };
  return state;
}

function pass({ part, questions, early }: RunScreenState, one: CapstanEvent | ModelDelta): void {
  if (!part) return void early.push(one);
  if (one.type === 'model.delta') return void part.onDelta(one);
  questions?.onEvent(one);
  part.onEvent(one);
}

function noteStop(state: RunScreenState): void {
  state.isStopped = true;
}

const listenersOf = (
  state: RunScreenState,
  questions: RunQuestions,
  { loop }: HeldScreen,
): Pick<RunSurface, 'onEvent' | 'onDelta' | 'onProgress'> => ({
  onEvent(event) {
    state.progress = '';
    pass(state, event);
    loop.redraw();
  },
  onDelta: (delta) => pass(state, delta),
  onProgress(done, total, what = 'Embedding capsules') {
    state.progress =
      done < total && !questions.focused() ? `${escapeText(what)} ${done} of ${total}` : '';
    loop.redraw();
  },
});

interface PartParts {
  readonly state: RunScreenState;
  readonly context: PartContext;
  readonly io: CommandIo;
}

/** Opens the run part. Its output is held while a question has the focus. */
function openPart(run: StartedRun, { state, context, io }: PartParts): RunPart {
  const print = (text: string) =>
    state.questions?.focused() ? void state.held.push(text) : context.print(text);
  const answer = io.isOutputTerminal ? context.print : () => {};
  return openRunPart(
    { ...run, task: '', isResumed: false },
    { ...context, print },
    { at: 'shell', printAnswer: (lines) => lines.length > 0 && answer(lines.join('\n')) },
  );
}

function releasePrints(state: RunScreenState, context: PartContext): void {
  for (const text of state.held.splice(0)) context.print(text);
}

/** Prints the answer on stdout, unless it is a terminal: the run part has then printed it above the closing lines. */
function printAnswer({ answer }: RunDocument, io: CommandIo): void {
  if (io.isOutputTerminal || !answer) return;
  io.stdout(answer.endsWith('\n') ? answer : `${answer}\n`);
}
