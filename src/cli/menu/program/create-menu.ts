import { deferred } from '../../io/deferred.ts';
import type { StopSignal } from '../../io/watch-signals.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { SPINNER_MS } from '../frame.ts';
import { openLine } from '../input/input-line.ts';
import { withTasks } from '../input/line-key.ts';
import { historyOf } from '../input/prompt-history.ts';
import type { Opening } from '../opening.ts';
import type { KeyInput } from '../terminal/key.ts';
import { printSession } from '../views/open-sessions.ts';
import { openSetup } from '../views/open-setup.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { createContext, LONG_RUN_MS } from './create-context.ts';
import { onMenuKey } from './input/menu-keys.ts';
import { createQuestionFocus } from './input/question-focus.ts';
import { isCommand, submitLine } from './input/submit-line.ts';
import type { Menu } from './menu.ts';
import type { MenuState } from './menu-state.ts';
import { isWaiting } from './runs/live-run.ts';
import { drawMenu } from './screen/draw-menu.ts';
import { readIdleFacts } from './screen/idle-hint.ts';

/** The interactive program: its conversation, its questions and its screen. */
export function createMenu(parts: Pick<Menu, 'io' | 'screen' | 'capstan'>, opening: Opening) {
  const { capstan, io, screen } = parts;
  const state: MenuState = {
    ...{ line: openLine(), views: [], held: [], folded: '', notice: '', isLeaving: false },
    ...{ quitMs: Number.NEGATIVE_INFINITY, facts: { folder: shortFolder(io.cwd, io.environment) } },
  };
  const quitting = deferred<StopSignal | undefined>();
  const forcing = deferred<void>();
  const quit = (signal?: StopSignal) => {
    if (state.isLeaving) return forcing.resolve();
    state.isLeaving = true;
    screen.loop.redrawNow();
    quitting.resolve(signal);
  };
  const refresh = async () => {
    const facts = await readIdleFacts(capstan, conversation, io).catch(() => undefined);
    if (facts) state.facts = facts;
    screen.loop.redraw();
  };
  const contextWith = (isHeld: () => boolean) =>
    createContext({
      ...{ ...parts, state, isHeld, conversation: () => conversation, quit: () => quit() },
      submit: (text) => submitLine(menu, { text, typed: text, attachments: [] }),
      isCommand,
      onViewClosed: () => void refresh(),
    });
  const context = contextWith(() => false);
  const questions = createQuestionFocus({
    contextOf: (runId) => context.ofRun(conversation.live().find(({ id }) => id === runId)),
    isBusy: () => state.views.length > 0 || state.confirm !== undefined,
    onFree: context.release,
    // Parks a run that has nothing left to do: no step works, and every question was skipped.
    onSkip(runId) {
      const run = conversation.live().find(({ id }) => id === runId);
      if (run?.working.size !== 0 || questions.unskippedOf(runId) > 0) return;
      run.stoppedMs = performance.now();
      run.interrupt();
    },
  });
  const conversation: Conversation = createConversation({
    context: contextWith(() => questions.focused() !== undefined),
    isLeaving: () => state.isLeaving,
    takeBack(tasks) {
      if (tasks.length > 0) state.line = withTasks(state.line, tasks);
    },
    onEvent(event) {
      questions.onEvent(event);
      screen.loop.redraw();
    },
    async onEnd(run, document) {
      if (document && !state.isLeaving) await run.part.finish(document);
      if (performance.now() - run.startedMs > LONG_RUN_MS) context.bell('Capstan: a run ended');
      if (!state.isLeaving) await refresh();
    },
  });
  conversation.setSettings(opening.settings);
  conversation.continueSession(opening.sessionId);
  const menu: Menu = { ...parts, state, context, conversation, questions, refresh, quit };
  const stopTicking = tick(menu);
  void openFirst(menu, opening);
  return {
    draw: () => drawMenu(menu),
    onInput: (input: KeyInput) => onMenuKey(menu, input),
    printAgain: () => printAgain(menu),
    quit,
    /** Resolves with the signal, if any, when the program is asked to end. */
    quitRequested: quitting.promise,
    /** Resolves when it must end immediately. */
    forced: forcing.promise,
    live: conversation.live,
    queued: conversation.queued,
    close() {
      stopTicking();
      questions.close();
    },
  };
}

/** Prints the open question again, with the name of its run unless that is in front. */
function printAgain({ state, questions }: Menu): void {
  state.voice = undefined;
  (state.views.at(-1) ?? questions.focused())?.printAgain?.();
}

/** Reads the history and the status after the first frame, and offers the setup if no flag chose a provider. */
async function openFirst(
  { state, capstan, context, conversation, refresh }: Menu,
  { settings }: Opening,
) {
  const entries = await capstan.typedLines.list(context.workspace).catch(() => []);
  state.line = { ...state.line, history: historyOf([...entries, ...state.line.history.entries]) };
  const session = conversation.sessionId();
  if (session !== undefined) await printSession(session, context).catch(context.fail);
  await refresh();
  if (!state.facts.isOffline) return;
  const isIdle = () =>
    state.line.edited.text === '' &&
    state.views.length === 0 &&
    !state.isLeaving &&
    !conversation.isStarting() &&
    conversation.live().length === 0;
  const isChosen = settings.provider !== undefined;
  const isOffered = !isChosen && (await capstan.setup.isNeeded()) && isIdle();
  if (!isOffered || (await openSetup(context))) context.print(NO_MODEL);
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
