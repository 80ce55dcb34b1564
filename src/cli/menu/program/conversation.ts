import type { SettingsOverrides } from '../../../app/context/open-options.ts';
import { failedWith } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { shortId } from '../../text/short-id.ts';
import type { Submitted } from '../input/input-line.ts';
import type { MenuContext } from './create-context.ts';
import { echo } from './input/echo.ts';
import { followRun, type LaunchParts, launchRun } from './runs/launch-run.ts';
import { isRunning, type LiveRun } from './runs/live-run.ts';
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
}

/** The runs of this program and the session that they belong to. */
export type Conversation = ReturnType<typeof createConversation>;

/** Creates an empty conversation: its next task begins a session. */
export function createConversation(parts: ConversationParts) {
  const { context } = parts;
  const runs = createFocusedRuns();
  const queue = createTaskQueue();
  let overrides: SettingsOverrides = {};
  let starting = 0;
  const isBusy = () => starting > 0 || isWorking(runs.focused());
  /** Starts the next waiting task. Called whenever a run has ended, or could not start. */
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
      queue.addFirst(await unreadOf(run, context));
      startNext();
    },
  };
  const begin = async (open: () => Promise<LiveRun>): Promise<void> => {
    starting += 1;
    context.redraw();
    try {
      runs.add(await open());
    } catch (error) {
      context.fail(error);
    } finally {
      starting -= 1;
      context.redraw();
      startNext();
    }
  };
  const start = (request: StartRequest): Promise<void> =>
    begin(() => startRun(request, { ...launch, session: runs.sessionId(), settings: overrides }));
  const resume = (id: string): Promise<void> =>
    begin(async () => {
      const { runs: all } = context.capstan;
      const { run } = await all.get(id);
      return launchRun(run.task, (listeners) => all.resume(run.id, listeners), launch);
    });
  return {
    ...runs,
    /**
     * Handles a typed line: if the run in focus has a model, a message to it, which continues it if it is parked; otherwise a
     * task, which waits until a run that works has ended.
     */
    async submit(submitted: Submitted): Promise<void> {
      const run = runs.focused();
      if (isBusy() && !takesMessage(run, submitted)) return queue.add(submitted);
      echo(context, submitted.text);
      const isMessage = takesMessage(run, submitted) && (isWorking(run) || isParked(run));
      if (!run || !isMessage || !(await sendMessage(run, submitted.text, context)))
        await start(submitted);
      else if (isParked(run)) await resume(run.id);
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
    async resumeNewest(words: string): Promise<void> {
      const { provider, id } = await resumableRun(context, runs.sessionId());
      if (words !== '' && provider === 'offline')
        throw usage(`Run ${shortId(id)} has no model that reads words. Type /resume alone.`);
      if (words !== '') await context.capstan.runs.message(id, words, { by: BY });
      await resume(id);
    },
    follow: (id: string) => begin(() => followRun(id, launch)),
    settings: () => overrides,
    setSettings(settings: SettingsOverrides) {
      overrides = { ...overrides, ...settings };
    },
  };
}

/** Whether there is a run, and it has not ended. */
const isWorking = (run: LiveRun | undefined): boolean => run !== undefined && isRunning(run);

const isParked = (run: LiveRun | undefined): boolean => run?.status === 'parked';

const takesMessage = (run: LiveRun | undefined, { attachments }: Submitted): boolean =>
  run?.hasModel === true &&
  (run.stoppedMs === undefined || isParked(run)) &&
  attachments.length === 0;

/** The runs of the conversation, and which of them typed words go to. */
function createFocusedRuns() {
  const runs: LiveRun[] = [];
  let session: string | undefined;
  let focus: LiveRun | undefined;
  const setFocus = (run: LiveRun) => {
    focus = run;
    session = run.sessionId;
  };
  const continueSession = (id: string | undefined) => {
    session = id;
    focus = undefined;
  };
  const live = (): readonly LiveRun[] => runs.filter(isRunning);
  return {
    add(run: LiveRun) {
      runs.push(run);
      setFocus(run);
    },
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
    sessionId: () => session,
    continueSession,
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

/** Messages typed here that came too late for a run of this program, as tasks. Another one reads them when it continues. */
async function unreadOf(run: LiveRun, context: MenuContext): Promise<readonly Submitted[]> {
  if (!run.isOwn || run.status !== 'completed' || !run.hasModel) return [];
  const found = await context.capstan.runs.get(run.id).catch(() => undefined);
  const texts = (found?.unread ?? []).flatMap(({ by, text }) => (by === BY ? text : []));
  if (texts.length > 0)
    context.print('! The run ended before it read this, so it is the next task:');
  return texts.map((text) => ({ text, typed: text, attachments: [] }));
}

/** @throws AppError `USAGE` if there is none. */
async function resumableRun({ capstan }: MenuContext, session: string | undefined) {
  const { runs } = session === undefined ? { runs: [] } : await capstan.sessions.get(session);
  const run = runs.findLast(
    ({ status }, at) => status === 'parked' || (status === 'failed' && at === runs.length - 1),
  );
  if (!run) throw usage('No run of this conversation is parked. /runs lists those of this folder.');
  return (await capstan.runs.get(run.id)).run;
}
