import type { Capstan } from '../../../app/open-capstan.ts';
import type { RunDocument } from '../../../app/runs/run-document.ts';
import type { RunOptions, StartedRun } from '../../../app/runs/started-run.ts';
import type { CapstanEvent, ModelDelta } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { exitCodeOf } from '../../errors/exit-codes.ts';
import { printError } from '../../errors/print-error.ts';
import { exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import type { RunTerminal } from '../../run/show-run.ts';
import { SPINNER_MS } from '../frame.ts';
import { type InputLine, openLine } from '../input/input-line.ts';
import type { PartContext } from '../menu-context.ts';
import { type HeldScreen, holdScreen } from '../program/hold-screen.ts';
import { pageInProgram, runInTerminal } from '../program/with-program.ts';
import { openQuestionPart } from '../question/open-question-part.ts';
import { openRunPart } from '../run/open-run-part.ts';
import type { RunPart } from '../run-part.ts';
import { bell } from '../terminal/bell.ts';
import { loadInk } from '../terminal/load-ink.ts';
import { drawRunScreen } from './draw-run-screen.ts';
import { createRunKeys } from './run-keys.ts';
import { createRunQuestions, type RunQuestions } from './run-questions.ts';

/** A run so long calls the person back when it ends, in milliseconds. */
const LONG_RUN_MS = 10_000;

/** Draws one run at a terminal until it ends. Draws on stderr, and the answer goes to stdout, if that is no terminal. */
export async function openRunScreen(capstan: Capstan, io: CommandIo): Promise<RunTerminal> {
  await loadInk();
  const state = createState();
  const screen = holdScreen(io, {
    output: io.isOutputTerminal === true ? 1 : 2,
    draw: () => drawRunScreen(state, screen.frame()),
    onInput: (input) => keys(input),
    onSignal: (signal) => stop(signal),
  });
  const stop = (signal?: StopSignal) => interrupt(state, signal);
  const context = createPartContext(capstan, io, screen);
  const questions = createRunQuestions({
    context,
    openQuestionPart,
    onFree: () => releasePrints(state, context),
    onIdle: () => stop(),
  });
  state.questions = questions;
  const keys = createRunKeys({ state, questions, screen, stop });
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
    listeners: listenersOf(state, questions, screen),
    async show(run) {
      const startedMs = performance.now();
      const part = openPart(run, { state, context, io });
      state.open(run, part);
      const document = await run.finished;
      releasePrints(state, context);
      await part.finish(document);
      if (performance.now() - startedMs > LONG_RUN_MS) context.bell('Capstan: a run ended');
      close();
      printAnswer(document, io);
      return exitCodeOf(document, state.signal);
    },
    close,
  };
}

/** What the screen knows of its run. */
export interface RunScreenState {
  run: StartedRun | undefined;
  part: RunPart | undefined;
  questions: RunQuestions | undefined;
  /** Events from before the run was known. */
  readonly early: (CapstanEvent | ModelDelta)[];
  /** Prints that wait until a question is answered. */
  held: string[];
  /** Work before the plan: `Embedding capsules 12 of 40`. */
  progress: string;
  /** The person's own words to a question. */
  line: InputLine;
  signal: StopSignal | undefined;
  stops: number;
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
    signal: undefined,
    stops: 0,
    open(run, part) {
      state.run = run;
      state.part = part;
      for (const one of state.early.splice(0)) pass(state, one);
      if (state.stops > 0) run.interrupt();
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

/** The first time the run parks; then its capsules get no grace; at last this process ends. */
function interrupt(state: RunScreenState, signal: StopSignal | undefined): void {
  state.signal ??= signal;
  state.stops += 1;
  state.run?.interrupt({ now: state.stops > 1 });
  if (state.stops <= 2) return;
  state.run?.leave();
  process.exit(exitCodeOfSignal[state.signal ?? 'SIGINT']);
}

type Listeners = Pick<RunOptions, 'onEvent' | 'onDelta' | 'onProgress'>;

const listenersOf = (
  state: RunScreenState,
  questions: RunQuestions,
  { loop }: HeldScreen,
): Listeners => ({
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

function createPartContext(capstan: Capstan, io: CommandIo, screen: HeldScreen): PartContext {
  const { loop } = screen;
  const stderr = (text: string) => loop.print(text);
  return {
    capstan,
    io,
    frame: screen.frame,
    print: (text) => loop.print(`${text}\n`),
    keepFolded: () => {},
    fail: (error) => printError({ stderr, environment: io.environment, isTerminal: true }, error),
    redraw: loop.redraw,
    bell: (words) => screen.signal(bell(words, io.environment)),
    page: (text) => screen.lend(() => pageInProgram(runInTerminal(io), io, text)),
  };
}

interface PartParts {
  readonly state: RunScreenState;
  readonly context: PartContext;
  readonly io: CommandIo;
}

/** Nothing is printed below a question that has the focus. */
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

/** At a terminal the answer stands above the closing lines already. */
function printAnswer({ answer }: RunDocument, io: CommandIo): void {
  if (io.isOutputTerminal || !answer) return;
  io.stdout(answer.endsWith('\n') ? answer : `${answer}\n`);
}
