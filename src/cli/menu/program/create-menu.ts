import { deferred } from '../../io/deferred.ts';
import type { StopSignal } from '../../io/watch-signals.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { type Drawn, SPINNER_MS } from '../frame.ts';
import { historyOf } from '../input/prompt-history.ts';
import type { KeyInput } from '../terminal/key.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { createContext } from './create-context.ts';
import { onMenuKey } from './input/menu-keys.ts';
import { createQuestionFocus } from './input/question-focus.ts';
import { submitLine } from './input/submit-line.ts';
import { createMenuState, type Menu, type MenuParts } from './menu.ts';
import { isWaiting, type LiveRun } from './runs/live-run.ts';
import { drawMenu } from './screen/draw-menu.ts';
import { readIdleFacts } from './screen/idle-hint.ts';

export interface OpenedMenu {
  draw(): Drawn;
  onInput(input: KeyInput): void;
  /** Sends a line as if it had been typed. */
  type(text: string): void;
  quit(signal?: StopSignal): void;
  /** Resolves with the signal, if any, when the program is asked to end. */
  readonly quitRequested: Promise<StopSignal | undefined>;
  /** Resolves when it must end immediately. */
  readonly forced: Promise<void>;
  live(): readonly LiveRun[];
  close(): void;
}

/** A run of at least this length alerts the person when it ends, in milliseconds. */
const LONG_RUN_MS = 10_000;

/** The interactive program: its conversation, its questions and its screen. */
export function createMenu(parts: MenuParts): OpenedMenu {
  const { capstan, io, screen } = parts;
  const state = createMenuState({ folder: shortFolder(io.cwd, io.environment) });
  const quitting = deferred<StopSignal | undefined>();
  const forcing = deferred<void>();
  const quit = (signal?: StopSignal) => {
    if (state.leaving) return forcing.resolve();
    state.leaving = { signal };
    screen.loop.redrawNow();
    quitting.resolve(signal);
  };
  const refresh = async () => {
    const facts = await readIdleFacts(capstan, conversation.settings(), io).catch(() => undefined);
    if (facts) state.facts = facts;
    screen.loop.redraw();
  };
  const onViewClosed = () => void refresh();
  const submit = (text: string) => submitLine(menu, { text, typed: text, attachments: [] });
  const common = { state, quit, submit, conversation: () => conversation, onViewClosed };
  const context = createContext(parts, { ...common, isHeld: () => false });
  const questions = createQuestionFocus({
    context,
    openQuestionPart: parts.openQuestionPart,
    isBusy: () => state.views.length > 0 || state.confirm !== undefined,
    onFree: () => {
      for (const text of state.held.splice(0)) context.print(text);
    },
    onSkip: (runId) => parkIfIdle(runId),
  });
  const conversation: Conversation = createConversation({
    context: createContext(parts, { ...common, isHeld: () => questions.focused() !== undefined }),
    openRunPart: parts.openRunPart,
    onEvent: (_run, event) => {
      questions.onEvent(event);
      screen.loop.redraw();
    },
    onEnd: async (run, document) => {
      if (document && !state.leaving) await run.part.finish(document);
      if (performance.now() - run.startedMs > LONG_RUN_MS) context.bell('Capstan: a run ended');
      if (!state.leaving) await refresh();
    },
  });
  /** Parks a run that has nothing left to do: no step works, and every question was skipped. */
  const parkIfIdle = (runId: string) => {
    const run = conversation.live().find(({ id }) => id === runId);
    if (run && run.working.size === 0 && questions.unskippedOf(runId) === 0) run.interrupt();
  };
  const menu: Menu = { ...parts, state, context, conversation, questions, refresh, quit };
  const stopTicking = tick(menu);
  void openFirst(menu);
  return {
    draw: () => drawMenu(menu),
    onInput: (input) => onMenuKey(menu, input),
    type: (text) => void submit(text),
    quit,
    quitRequested: quitting.promise,
    forced: forcing.promise,
    live: conversation.live,
    close() {
      stopTicking();
      questions.close();
    },
  };
}

/** Reads the history and the status after the first frame, and offers the setup. */
async function openFirst({ state, capstan, context, conversation, refresh }: Menu) {
  const entries = await capstan.typedLines.list(context.workspace).catch(() => []);
  state.line = { ...state.line, history: historyOf([...entries, ...state.line.history.entries]) };
  await refresh();
  if (!state.facts.isOffline) return;
  const isIdle = () =>
    state.line.edited.text === '' &&
    state.views.length === 0 &&
    !state.leaving &&
    !conversation.isStarting() &&
    conversation.live().length === 0;
  if ((await capstan.setup.isNeeded()) && isIdle()) {
    const { openSetup } = await import('../views/open-setup.ts');
    await openSetup(context);
  } else context.print(NO_MODEL);
}

const NO_MODEL = 'No model: only explicit instructions work. /setup adds one.';

/** Redraws periodically: the spinner during work, and a live view once a second. Returns the function that stops it. */
function tick({ screen, state, conversation }: Menu): () => void {
  const stepMs = screen.frame().isReduced ? 1_000 : SPINNER_MS;
  let passed = 0;
  const timer = setInterval(() => {
    passed += 1;
    const isSecond = (passed * stepMs) % 1_000 < stepMs;
    const view = state.views.at(-1);
    if (view ? view.isLive && isSecond : isMoving(conversation)) screen.loop.redraw();
  }, stepMs);
  return () => clearInterval(timer);
}

/** Whether work is in progress: not while it only waits for a person. */
const isMoving = (conversation: Conversation): boolean =>
  conversation.isStarting() || conversation.live().some((run) => !isWaiting(run));
