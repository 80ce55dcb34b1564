import type { SettingsOverrides } from '../../../app/context/open-context.ts';
import { failedWith } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { shortId } from '../../text/short-id.ts';
import type { Submitted } from '../input/input-line.ts';
import { sendAnswer } from '../question/open-question-part.ts';
import type { MenuContext } from './create-context.ts';
import { echo } from './input/echo.ts';
import { followRun, type LaunchParts, launchRun, parkedRun } from './runs/launch-run.ts';
import { isRunning, type LiveRun, leftOpen } from './runs/live-run.ts';
import { newestResumable } from './runs/newest-resumable.ts';
import { createTaskQueue } from './runs/task-queue.ts';

interface StartRequest extends Partial<Submitted> {
  readonly text: string;
  readonly planFirst?: boolean | undefined;
}

/** The author of messages to a run, for its record. */
export const BY = 'terminal';

interface ConversationParts extends Omit<LaunchParts, 'told'> {
  /** Whether the program is ending, so that no further task starts. */
  readonly isLeaving: () => boolean;
  /** Puts waiting tasks back into the line. */
  readonly takeBack: (tasks: readonly Submitted[]) => void;
}

/** The runs of this program and the session that they belong to. */
export type Conversation = ReturnType<typeof createConversation>;

/** Creates an empty conversation: its next task begins a session. */
export function createConversation(parts: ConversationParts) {
  const { context } = parts;
  const queue = createTaskQueue();
  const takeBackAll = () => parts.takeBack(queue.remove(queue.all().length));
  const runs = createFocusedRuns(takeBackAll, (id) => parkedRun(id, launch));
  const chosen = createSettings(runs.sessionId);
  let starting = 0;
  const isBusy = () => starting > 0 || isWorking(runs.focused());
  /** Starts the next waiting task. Called whenever a run has begun or ended. */
  const startNext = () => {
    const next = isBusy() || parts.isLeaving() ? undefined : queue.shift();
    if (!next) return;
    echo(context, next.text);
    void start(next);
  };
  const launch: LaunchParts = {
    ...parts,
    told: new Set(),
    async onEnd(run, document) {
      await parts.onEnd(run, document);
      const isLeft = run.sessionId !== runs.sessionId();
      const unread = await unreadOf(run, isLeft ? LEFT : NEXT, context);
      (isLeft ? parts.takeBack : queue.addFirst)(unread);
      startNext();
    },
  };
  const begin = async (open: () => Promise<LiveRun>): Promise<void> => {
    starting += 1;
    context.redraw();
    const run = await open().catch(context.fail);
    starting -= 1;
    if (run) runs.add(run);
    else if (!isBusy() && !parts.isLeaving()) takeBackAll(); // The next task would fail alike.
    context.redraw();
    startNext();
  };
  const start = (request: StartRequest): Promise<void> =>
    begin(() =>
      startRun(request, { ...launch, session: runs.sessionId(), settings: chosen.settings() }),
    );
  const resume = (id: string): Promise<void> => begin(() => resumeRun(id, launch));
  /** Continues a run that is parked or about to park, with words of the person. */
  const continueParked = oncePerRun(async (run) => {
    await denyLeftOpen(run, context);
    await run.over;
    const isAgain = runs.live().some(({ id }) => id === run.id);
    if (isParked(run) && !isAgain && !parts.isLeaving()) await resume(run.id);
  });
  return {
    ...runs,
    /**
     * Handles a typed line: if the run in focus has a model, a message to it, which continues it if it is parked or stopping,
     * and then denies the calls that it asks about; otherwise a task, which waits until a run that works has ended.
     */
    async submit(submitted: Submitted): Promise<void> {
      const run = await runs.focusedSoon();
      const isMessage = takesMessage(run, submitted);
      if (isBusy() && !isMessage) return queue.add(submitted);
      echo(context, submitted.text);
      if (!run || !isMessage || !(await sendMessage(run, submitted.text, context)))
        await start(submitted);
      else if (isParked(run) || run.stoppedMs !== undefined) await continueParked(run);
    },
    /** Tasks that start one after the other when the run in focus has ended. */
    queued: queue.all,
    /** Removes the newest waiting task, or all. Returns their text for the line. */
    unqueue: queue.remove,
    /** Whether a run is about to begin. */
    isStarting: () => starting > 0,
    start: (task: string, options: { readonly planFirst?: boolean } = {}) =>
      start({ text: task, ...options }),
    resume,
    /** Continues the newest parked run of the session, or its newest run if that failed, with words as a message to it. */
    resumeNewest: async (words: string): Promise<void> =>
      resume(await messageResumable(words, context, runs.sessionId())),
    follow: (id: string) => begin(() => followRun(id, launch)),
    ...chosen,
  };
}

/** The settings that were chosen for the next runs, and those that hold in one session only. */
function createSettings(sessionId: () => string | undefined) {
  let overrides: SettingsOverrides = {};
  let kept: { readonly sessionId: string; readonly settings: SettingsOverrides } | undefined;
  return {
    settings: (): SettingsOverrides =>
      kept?.sessionId === sessionId() ? { ...overrides, ...kept?.settings } : overrides,
    setSettings(settings: SettingsOverrides) {
      overrides = settings;
      kept = undefined;
    },
    keepSettings(id: string, settings: SettingsOverrides) {
      kept = { sessionId: id, settings };
    },
  };
}

/** What happens to a message that came too late for a run, after another session was opened or not. */
const LEFT = 'the words that are now in the line.';
const NEXT = 'this, so it is the next task:';

/** Whether there is a run, and it has not ended. */
const isWorking = (run: LiveRun | undefined): boolean => run !== undefined && isRunning(run);

const isParked = (run: LiveRun | undefined): boolean => run?.status === 'parked';

const takesMessage = (run: LiveRun | undefined, { attachments }: Submitted): boolean =>
  run?.hasModel === true && (isRunning(run) || isParked(run)) && attachments.length === 0;

/** Ignores calls for a run while an earlier one for it works. */
function oncePerRun(work: (run: LiveRun) => Promise<void>) {
  const busy = new Set<string>();
  return async (run: LiveRun): Promise<void> => {
    if (busy.has(run.id)) return;
    busy.add(run.id);
    await work(run).finally(() => busy.delete(run.id));
  };
}

/** The runs of the conversation, and which of them typed words go to. @param onLeave Called before it leaves its session. */
function createFocusedRuns(
  onLeave: () => void,
  findParked: (sessionId: string) => Promise<LiveRun | undefined>,
) {
  const runs: LiveRun[] = [];
  let session: string | undefined;
  let focus: LiveRun | undefined;
  const setFocus = (run: LiveRun) => {
    focus = run;
    session = run.sessionId;
  };
  const add = (run: LiveRun) => {
    runs.push(run);
    setFocus(run);
  };
  let isContinued = Promise.resolve(false);
  const focusParked = async (id: string): Promise<boolean> => {
    const run = await findParked(id).catch(() => undefined);
    if (!run || session !== id || focus) return false;
    add(run);
    return true;
  };
  const continueSession = (id: string | undefined) => {
    onLeave();
    session = id;
    focus = undefined;
    isContinued = id === undefined ? Promise.resolve(false) : focusParked(id);
  };
  const live = (): readonly LiveRun[] => runs.filter(isRunning);
  return {
    add,
    /** The run that typed words go to, and whose steps are drawn. */
    focused: () => focus,
    /** Runs that have not ended, oldest first. */
    live,
    /** Gives the focus to the next running run, if there is another one. */
    focusNext() {
      const all = live();
      const next = all[((focus ? all.indexOf(focus) : -1) + 1) % all.length];
      if (next) setFocus(next);
    },
    isBehind: (id: string) => focus?.id !== id && runs.some((run) => run.id === id),
    sessionId: () => session,
    continueSession,
    isContinued: () => isContinued,
    /** The run in focus, after the one of a session that is being continued was found. */
    focusedSoon: () => isContinued.then(() => focus),
    clear: () => continueSession(undefined),
  };
}

interface StartParts extends LaunchParts {
  readonly session: string | undefined;
  readonly settings: SettingsOverrides;
}

function startRun(
  { text, attachments = [], planFirst }: StartRequest,
  { session, settings, ...parts }: StartParts,
): Promise<LiveRun> {
  const { runs, sessions } = parts.context.capstan;
  const request = { task: text, settings, planFirst, besideParked: true, attachments };
  return launchRun(
    text,
    (listeners) =>
      session === undefined
        ? runs.start({ ...request, ...listeners })
        : sessions.continue(session, { ...request, ...listeners }),
    parts,
  );
}

/** Resumes a run, or follows it if another process has resumed it meanwhile. */
async function resumeRun(id: string, parts: LaunchParts): Promise<LiveRun> {
  const { runs } = parts.context.capstan;
  const { run } = await runs.get(id);
  if (run.status === 'running') return followRun(run.id, parts);
  return launchRun(run.task, (listeners) => runs.resume(run.id, listeners), parts);
}

/** Sends a message to a run. Returns false if the run has ended meanwhile, so that the text becomes a task. */
async function sendMessage(run: LiveRun, text: string, context: MenuContext): Promise<boolean> {
  try {
    await context.capstan.runs.message(run.id, text, { by: BY });
    return true;
  } catch (error) {
    if (failedWith(error, 'RUN_ENDED')) return false;
    throw error;
  }
}

/** Denies the calls that a stopped run asks about: the person said something else instead. */
async function denyLeftOpen(run: LiveRun, context: MenuContext): Promise<void> {
  for (const id of leftOpen(run)) {
    const approval = await context.capstan.approvals.get(id);
    const lines = await sendAnswer(approval, { does: 'answer', answer: 'deny' }, context);
    context.print(lines.join('\n'));
  }
}

/** Messages typed here that came too late for a run of this program, as tasks. Another one reads them when it continues. */
async function unreadOf(
  run: LiveRun,
  outcome: string,
  context: MenuContext,
): Promise<readonly Submitted[]> {
  if (!run.isOwn || run.status !== 'completed' || !run.hasModel) return [];
  const found = await context.capstan.runs.get(run.id).catch(() => undefined);
  const texts = (found?.unread ?? []).flatMap(({ by, text }) => (by === BY ? text : []));
  if (texts.length > 0) context.print(`! The run ended before it read ${outcome}`);
  return texts.map((text) => ({ text, typed: text, attachments: [], isTask: true }));
}

/** The id of the run that `/resume` continues. Words become a message to it. @throws AppError `USAGE` if there is none. */
async function messageResumable(
  words: string,
  context: MenuContext,
  session: string | undefined,
): Promise<string> {
  const { provider, id } = await resumableRun(context, session);
  if (words !== '' && provider === 'offline')
    throw usage(`Run ${shortId(id)} has no model that reads words. Type /resume alone.`);
  if (words !== '') await context.capstan.runs.message(id, words, { by: BY });
  return id;
}

/** @throws AppError `USAGE` if there is none. */
async function resumableRun({ capstan }: MenuContext, session: string | undefined) {
  const { runs } = session === undefined ? { runs: [] } : await capstan.sessions.get(session);
  const run = newestResumable(runs);
  if (!run) throw usage('No run of this conversation is parked. /runs lists those of this folder.');
  return (await capstan.runs.get(run.id)).run;
}
