import type { SettingsOverrides } from '../../../app/context/open-context.ts';
import type { Capstan } from '../../../app/open-capstan.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { printError, triesOf } from '../../errors/print-error.ts';
import { shortId } from '../../text/short-id.ts';
import type { Frame } from '../frame.ts';
import { cutEnd } from '../terminal/text-width.ts';
import type { View } from '../views/view.ts';
import { openConfirm } from './confirm-part.ts';
import type { MenuState, Printed } from './menu-state.ts';
import { partContext } from './part-context.ts';
import { editInProgram } from './run-in-terminal.ts';
import type { HeldScreen } from './screen/hold-screen.ts';

/** A run of at least this length alerts the person when it ends, in milliseconds. */
export const LONG_RUN_MS = 10_000;

export interface ConversationContext {
  /** Whether typed words go to another run. */
  isBehind(runId: string): boolean;
  /** The session that the next task belongs to; undefined: a new one. */
  sessionId(): string | undefined;
  /** Continues a session that exists: the next line is a task in it, or continues its newest run. */
  continueSession(sessionId: string): void;
  /** Whether the next line continues the newest run of that session, which is parked and has a model. */
  isContinued(): Promise<boolean>;
  /** The next task begins a new session. */
  clear(): void;
  /** Runs a task in the session, also while its newest run works or is parked. That run stays as it is. */
  start(task: string, options?: { readonly planFirst?: boolean }): Promise<void>;
  /** Continues the newest parked run of the session, with words as a message to it. */
  resumeNewest(words: string): Promise<void>;
  /** Continues a parked or failed run, here. */
  resume(runId: string): Promise<void>;
  /** Follows a run that another process executes. */
  follow(runId: string): Promise<void>;
  /** Settings of the next runs of this conversation: `model`, `provider`. */
  settings(): SettingsOverrides;
  setSettings(settings: SettingsOverrides): void;
  /** Settings that hold in a session only, until others are chosen. */
  keepSettings(sessionId: string, settings: SettingsOverrides): void;
}

interface ContextParts {
  readonly capstan: Capstan;
  readonly io: CommandIo;
  readonly screen: HeldScreen;
  readonly state: MenuState;
  readonly conversation: () => ConversationContext;
  readonly quit: () => void;
  /** A line as if it had been typed: a command that begins with `/`, or words to the conversation. Never rejects. */
  readonly submit: (line: string) => Promise<void>;
  /** Whether a line is a command of the conversation. */
  readonly isCommand: (line: string) => boolean;
  /** Whether prints wait, because a question has the focus. */
  readonly isHeld: () => boolean;
  /** Called after a view was closed, which may have changed settings. */
  readonly onViewClosed: () => void;
}

/** The program as slash commands, views, run parts and question parts see it. */
export type MenuContext = ReturnType<typeof createContext>;

/** Creates the part of the program that commands, views, runs and questions use. */
export function createContext({ capstan, io, screen, state, ...parts }: ContextParts) {
  const { redrawNow } = screen.loop;
  const part = partContext(capstan, io, screen);
  const printNow = ({ text, run }: Printed) => {
    const { voice } = state;
    state.voice = run?.id;
    const isOther = voice !== undefined || (run && parts.conversation().isBehind(run.id));
    part.print(run && isOther && voice !== run.id ? `${nameOf(run, part.frame())}\n${text}` : text);
  };
  const print = (printed: Printed) =>
    parts.isHeld() ? void state.held.push(printed) : printNow(printed);
  const context = {
    ...part,
    /** Absolute. */
    workspace: io.cwd,
    print: (text: string) => print({ text }),
    /** Prints the text that was held. */
    release: () => state.held.splice(0).forEach(printNow),
    /** The context of one run: its text is named, unless it is in front and no other run has just spoken. */
    ofRun: (run: Printed['run']) => ({
      ...context,
      print: (text: string) => print({ text, run }),
    }),
    keepFolded(text: string) {
      state.folded = text;
    },
    fail: failBy(screen.loop.print, io),
    /** Puts a view in place of the live area; an open view comes back when it closes. */
    openView(view: View) {
      state.views.push(view);
      redrawNow();
    },
    /** Closes the view on top. */
    closeView() {
      state.views.pop()?.onClose?.();
      redrawNow();
      parts.onViewClosed();
    },
    get conversation() {
      return parts.conversation();
    },
    /** A question of our own on a key line: `Discard run … for good?`. Resolves false for `n` and Esc. */
    async confirm(question: string): Promise<boolean> {
      const asked = openConfirm(question, screen.loop.redraw);
      state.confirm = asked;
      redrawNow();
      try {
        return await asked.answer;
      } finally {
        state.confirm = undefined;
        redrawNow();
      }
    },
    /**
     * Opens a text in `$VISUAL` or `$EDITOR` and resolves with what was saved; undefined if the editor failed. The live
     * area is hidden meanwhile.
     */
    editText: (text: string, fileName: string) =>
      screen.lend(() => editInProgram(io, text, fileName)),
    submit: parts.submit,
    isCommand: parts.isCommand,
    quit: parts.quit,
  };
  return context;
}

/** `3f9c0a12  Find out why the cart tests fail` */
const nameOf = (
  { id, task }: NonNullable<Printed['run']>,
  { style, symbols, width }: Frame,
): string =>
  style.bold(cutEnd(`${shortId(id)}  ${escapeText(task.split('\n')[0] ?? '')}`, width, symbols));

/** Prints an error of the conversation, whose own help is a command of it. */
export const failBy =
  (print: (text: string) => void, { environment }: Pick<CommandIo, 'environment'>) =>
  (error: unknown): void => {
    const tries = triesOf(error).map((line) => (line === 'capstan --help' ? '/help' : line));
    printError({ stderr: print, environment, isTerminal: true }, error, tries);
  };
