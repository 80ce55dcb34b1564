import type { MenuContext } from './menu-context.ts';

/** A command of the conversation. `/name words` calls `run` with `words`; completion and `/help` list the table. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** `[file]`, `<task>`. Default: none. */
  readonly arguments?: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What it throws is printed as an error. */
  run(context: MenuContext, words: string): void | Promise<void>;
}
