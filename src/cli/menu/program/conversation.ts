import type { SettingsOverrides } from '../../../app/context/open-options.ts';
import { failedWith } from '../../../contract/errors.ts';
import { shortId } from '../../text/short-id.ts';
import type { Submitted } from '../input/input-line.ts';
import type { MenuContext } from './create-context.ts';
import { followRun, type LaunchParts, launchRun } from './runs/launch-run.ts';
import { isRunning, type LiveRun } from './runs/live-run.ts';

interface StartRequest extends Partial<Submitted> {
  readonly text: string;
  readonly planFirst?: boolean | undefined;
  /** Whether it starts in the session of a parked run. */
  readonly besideParked?: boolean | undefined;
}

/** The author of messages to a run, for its record. */
export const BY = 'terminal';

/** The runs of this program and the session that they belong to. */
export type Conversation = ReturnType<typeof createConversation>;

/** Creates an empty conversation: its next task begins a session. */
export function createConversation(parts: LaunchParts) {
  const { context } = parts;
  const runs = createFocusedRuns();
  let overrides: SettingsOverrides = {};
  let starting = 0;
  const begin = async (open: () => Promise<LiveRun>): Promise<void> => {
    starting += 1;
    context.redraw();
    try {
      runs.add(await open());
    } catch (error) {
      if (failedWith(error, 'SESSION_PARKED')) printParked(error.details.run, context);
      else context.fail(error);
    } finally {
      starting -= 1;
      context.redraw();
    }
  };
  const start = (request: StartRequest): Promise<void> =>
    begin(() => startRun(request, { ...parts, session: runs.sessionId(), settings: overrides }));
  const resume = (id: string): Promise<void> =>
    begin(async () => {
      const { runs: all } = context.capstan;
      const { run } = await all.get(id);
      return launchRun(run.task, (listeners) => all.resume(run.id, listeners), parts);
    });
  return {
    ...runs,
    /** Handles a typed line: a task, or a message to the run in focus. */
    async submit(submitted: Submitted): Promise<void> {
      const run = runs.focused();
      const takesWords = run && (isRunning(run) || run.status === 'parked');
      if (!takesWords || !(await sendMessage(run, submitted, context))) await start(submitted);
      else if (run.status === 'parked' && submitted.attachments.length === 0) await resume(run.id);
    },
    /** Whether a run is about to begin. */
    isStarting: () => starting > 0,
    start: (task: string, options: { readonly planFirst?: boolean } = {}) =>
      start({ text: task, besideParked: true, ...options }),
    resume,
    follow: (id: string) => begin(() => followRun(id, parts)),
    settings: () => overrides,
    setSettings(settings: SettingsOverrides) {
      overrides = { ...overrides, ...settings };
    },
  };
}

/** Says what a person can do, in commands of the conversation. */
function printParked(runId: string, { print, frame }: MenuContext): void {
  const { style, symbols } = frame();
  const ways = ['/runs and r resume it', '/approvals answers it', '/new <task> starts another'];
  print(
    `${style.red(symbols.failed)} The newest run of this session, ${shortId(runId)}, is parked: no new task starts.\n  ${ways.join(symbols.separator)}`,
  );
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
  { text, attachments = [], planFirst, besideParked }: StartRequest,
  { session, settings, ...parts }: StartParts,
): Promise<LiveRun> {
  const { runs, sessions } = parts.context.capstan;
  const request = { task: text, settings, planFirst, besideParked, attachments };
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
