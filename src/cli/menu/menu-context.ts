import type { SettingsOverrides } from '../../app/context/open-options.ts';
import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandIo } from '../command.ts';
import type { Frame } from './frame.ts';
import type { View } from './views/view.ts';

/** The program as slash commands, views, run parts and question parts see it. */
export interface MenuContext {
  readonly capstan: Capstan;
  readonly io: CommandIo;
  /** Absolute. */
  readonly workspace: string;
  /** Size, colours and symbols now, for text that is printed. `rows` is the height of the terminal. */
  frame(): Frame;
  /**
   * Prints into the scrollback above the live area, once. A line break is added at the end. The text is escaped already.
   */
  print(text: string): void;
  /** Sets the text that Ctrl-O opens: the full text of folded output. The text is escaped already. */
  keepFolded(text: string): void;
  /** Prints an error: what happened, and what to type next. */
  fail(error: unknown): void;
  /** Redraws: immediately after a key, otherwise at most 10 times a second. */
  redraw(): void;
  /** Alerts the person, unless `CAPSTAN_BELL=0`. */
  bell(words: string): void;

  /** Puts a view in place of the live area; an open view comes back when it closes. */
  openView(view: View): void;
  /** Closes the view on top. */
  closeView(): void;

  /** The conversation. */
  readonly conversation: ConversationContext;

  /** A question of our own on a key line: `Discard run … for good?`. Resolves false for `n` and Esc. */
  confirm(question: string): Promise<boolean>;
  /**
   * Opens a text in `$VISUAL` or `$EDITOR` and resolves with what was saved; undefined if the editor failed. The live
   * area is hidden meanwhile.
   */
  editText(text: string, fileName: string): Promise<string | undefined>;
  /** Shows a text in `$PAGER`, `LESS=FRX`. The text is escaped already. */
  page(text: string): Promise<void>;
  /** A line as if it had been typed: a command that begins with `/`, or words to the conversation. Never rejects. */
  submit(line: string): Promise<void>;
  quit(): void;
}

/** The subset for run parts and question parts, which is all that `capstan run` at a terminal provides. */
export type PartContext = Pick<
  MenuContext,
  'capstan' | 'io' | 'frame' | 'print' | 'keepFolded' | 'fail' | 'redraw' | 'bell' | 'page'
>;

export interface ConversationContext {
  /** The session that the next task belongs to; undefined: a new one. */
  sessionId(): string | undefined;
  /** The newest run of the conversation. */
  runId(): string | undefined;
  /** Continues a session that exists: the next line is a task in it. */
  continueSession(sessionId: string): void;
  /** The next task begins a new session. */
  clear(): void;
  /** Runs a task as if it had been typed. */
  start(task: string, options?: { readonly planFirst?: boolean }): Promise<void>;
  /** Continues a parked or failed run, here. */
  resume(runId: string): Promise<void>;
  /** Follows a run that another process executes. */
  follow(runId: string): Promise<void>;
  /** Settings of the next runs of this conversation: `model`, `provider`. */
  settings(): SettingsOverrides;
  setSettings(settings: SettingsOverrides): void;
}
