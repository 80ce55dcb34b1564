import type { SettingsOverrides } from '../../../app/context/open-options.ts';
import { failedWith } from '../../../contract/errors.ts';
import type { Submitted } from '../input/input-line.ts';
import type { ConversationContext, MenuContext } from '../menu-context.ts';
import { followRun, type LaunchParts, launchRun } from './runs/launch-run.ts';
import { isRunning, type LiveRun } from './runs/live-run.ts';

/** The runs of this program and the session that they belong to. */
export interface Conversation extends ConversationContext {
  /** Handles a typed line: a task, or a message to the run in focus. */
  submit(submitted: Submitted): Promise<void>;
  /** The run that typed words go to, and whose steps are drawn. */
  focused(): LiveRun | undefined;
  /** Runs that have not ended, oldest first. */
  live(): readonly LiveRun[];
  /** Gives the focus to the next running run. Returns false if there is no other. */
  focusNext(): boolean;
  /** Whether a run is about to begin. */
  isStarting(): boolean;
}

interface StartRequest extends Partial<Submitted> {
  readonly text: string;
  readonly planFirst?: boolean | undefined;
}

/** The author of messages to a run, for its record. */
export const BY = 'terminal';

/** Creates an empty conversation: its next task begins a session. */
export function createConversation(parts: LaunchParts): Conversation {
  const runs = createFocusedRuns();
  let overrides: SettingsOverrides = {};
  let starting = 0;
  const { context } = parts;

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
    }
  };
  const start = (request: StartRequest): Promise<void> =>
    begin(() => startRun(request, { ...parts, session: runs.sessionId(), settings: overrides }));
  const resume = (id: string): Promise<void> => begin(() => resumeRun(id, parts));

  return {
    ...runs,
    async submit(submitted) {
      const run = runs.focused();
      const takesWords = run && (isRunning(run) || run.status === 'parked');
      if (!takesWords || !(await sendMessage(run, submitted, context))) await start(submitted);
      else if (run.status === 'parked' && submitted.attachments.length === 0) await resume(run.id);
    },
    isStarting: () => starting > 0,
    start: (task, options = {}) => start({ text: task, ...options }),
    resume,
    follow: (id) => begin(() => followRun(id, parts)),
    settings: () => overrides,
    setSettings(settings) {
      overrides = { ...overrides, ...settings };
    },
  };
}

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
  return {
    add(run: LiveRun) {
      runs.push(run);
      setFocus(run);
    },
    focused: () => focus,
    live: () => runs.filter(isRunning),
    focusNext() {
      const live = runs.filter(isRunning);
      const at = focus ? live.indexOf(focus) : -1;
      const next = live[(at + 1) % live.length];
      if (!next || next === focus) return false;
      setFocus(next);
      return true;
    },
    sessionId: () => session,
    runId: () => focus?.id,
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
  const task = { task: text, settings, ...(planFirst ? { planFirst } : {}) };
  const request = attachments.length > 0 ? { ...task, attachments } : task;
  return launchRun(
    text,
    (listeners) =>
      session === undefined
        ? runs.start({ ...request, ...listeners })
        : sessions.continue(session, { ...request, ...listeners }),
    { ...parts, isResumed: false },
  );
}

async function resumeRun(id: string, parts: LaunchParts): Promise<LiveRun> {
  const { runs } = parts.context.capstan;
  const { run } = await runs.get(id);
  const begin = (listeners: Parameters<typeof runs.resume>[1]) => runs.resume(run.id, listeners);
  return launchRun(run.task, begin, { ...parts, isResumed: true });
}

/** Sends a message to a run. Returns false if the run has ended meanwhile, so that the text becomes a task. */
async function sendMessage(run: LiveRun, said: Submitted, context: MenuContext): Promise<boolean> {
  if (said.attachments.length > 0) {
    context.print(PASTE_NEEDS_TASK);
    return true;
  }
  try {
    await context.capstan.runs.message(run.id, said.text, { by: BY });
    return true;
  } catch (error) {
    if (failedWith(error, 'RUN_ENDED')) return false;
    throw error;
  }
}

const PASTE_NEEDS_TASK =
  '! Pasted text can only be attached to a task. Save it to a file and name the file, or type the relevant part.';
