import type { SettingsOverrides } from '../../../app/open-options.ts';
import { failedWith } from '../../../contract/errors.ts';
import type { Submitted } from '../input/input-line.ts';
import type { ConversationContext } from '../menu-context.ts';
import { followRun, type LaunchParts, launchRun } from './launch-run.ts';
import { isRunning, type LiveRun } from './live-run.ts';

/** The runs of this program and the session that they belong to. */
export interface Conversation extends ConversationContext {
  /** A line was typed: a task, or words to the run in focus. */
  submit(submitted: Submitted): Promise<void>;
  /** The run that typed words go to, and whose steps are drawn. */
  focused(): LiveRun | undefined;
  /** Runs that have not ended, oldest first. */
  live(): readonly LiveRun[];
  /** Gives the focus to the next run that lives. Returns false if there is no other. */
  focusNext(): boolean;
  /** Whether a run is about to begin. */
  isStarting(): boolean;
}

export type ConversationParts = Omit<LaunchParts, 'context'> & Pick<LaunchParts, 'context'>;

interface StartRequest extends Partial<Submitted> {
  readonly text: string;
  readonly planFirst?: boolean | undefined;
}

/** Who tells a run something, for its record. */
export const BY = 'terminal';

export function createConversation(parts: LaunchParts): Conversation {
  const runs: LiveRun[] = [];
  let session: string | undefined;
  let focus: LiveRun | undefined;
  let starting = 0;
  let overrides: SettingsOverrides = {};
  const { context } = parts;
  const { capstan } = context;

  const begin = async (open: () => Promise<LiveRun>): Promise<void> => {
    starting += 1;
    context.redraw();
    try {
      const run = await open();
      runs.push(run);
      focus = run;
      session = run.sessionId;
    } catch (error) {
      context.fail(error);
    } finally {
      starting -= 1;
      context.redraw();
    }
  };
  const start = ({ text, attachments = [], planFirst }: StartRequest): Promise<void> =>
    begin(() =>
      launchRun(
        text,
        (listeners) => {
          const options = {
            task: text,
            settings: overrides,
            ...(attachments.length > 0 ? { attachments } : {}),
            ...(planFirst ? { planFirst } : {}),
            ...listeners,
          };
          return session === undefined
            ? capstan.runs.start(options)
            : capstan.sessions.continue(session, options);
        },
        { ...parts, isResumed: false },
      ),
    );
  const resume = async (id: string): Promise<void> => {
    const { run } = await capstan.runs.get(id);
    await begin(() =>
      launchRun(run.task, (listeners) => capstan.runs.resume(run.id, { ...listeners }), {
        ...parts,
        isResumed: true,
      }),
    );
  };
  /** Returns false if the run has ended meanwhile. */
  const tell = async (run: LiveRun, { text, attachments }: Submitted): Promise<boolean> => {
    if (attachments.length > 0) {
      context.print(PASTE_NEEDS_TASK);
      return true;
    }
    try {
      await capstan.runs.message(run.id, text, { by: BY });
      return true;
    } catch (error) {
      if (failedWith(error, 'RUN_ENDED')) return false;
      throw error;
    }
  };

  return {
    async submit(submitted) {
      const run = focus;
      if (run && (isRunning(run) || run.status === 'parked') && (await tell(run, submitted))) {
        if (run.status === 'parked') await resume(run.id);
        return;
      }
      await start(submitted);
    },
    focused: () => focus,
    live: () => runs.filter(isRunning),
    focusNext() {
      const live = runs.filter(isRunning);
      const at = focus ? live.indexOf(focus) : -1;
      const next = live[(at + 1) % live.length];
      if (!next || next === focus) return false;
      focus = next;
      session = next.sessionId;
      return true;
    },
    isStarting: () => starting > 0,
    sessionId: () => session,
    runId: () => focus?.id,
    useSession(id) {
      session = id;
      focus = undefined;
    },
    clear() {
      session = undefined;
      focus = undefined;
      context.redraw();
    },
    start: (task, options = {}) => start({ text: task, ...options }),
    resume,
    follow: (id) => begin(() => followRun(id, parts)),
    settings: () => overrides,
    useSettings(settings) {
      overrides = { ...overrides, ...settings };
    },
  };
}

const PASTE_NEEDS_TASK =
  '! A pasted text goes with a task only. Save it to a file and name the file, or type the words that matter.';
