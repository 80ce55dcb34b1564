import type { Capstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import { printError } from '../../errors/print-error.ts';
import { pageInProgram } from './run-in-terminal.ts';
import type { HeldScreen } from './screen/hold-screen.ts';

/** The subset for run parts and question parts, which is all that `capstan run` at a terminal provides. */
export type PartContext = ReturnType<typeof partContext>;

/** Creates the subset for run parts and question parts. It needs no conversation; `keepFolded` does nothing. */
export function partContext(
  capstan: Capstan,
  io: CommandIo,
  { loop, frame, lend, signal }: HeldScreen,
) {
  const errors = { stderr: loop.print, environment: io.environment, isTerminal: true };
  return {
    capstan,
    io,
    /** Size, colours and symbols now, for text that is printed. `rows` is the height of the terminal. */
    frame,
    /** Prints into the scrollback above the live area, once. A line break is added. The text is escaped already. */
    print: (text: string): void => loop.print(`${text}\n`),
    /** Sets the text that Ctrl-O opens: the full text of folded output. The text is escaped already. */
    keepFolded: (_text: string): void => {},
    /** Prints an error: what happened, and what to type next. */
    fail: (error: unknown): void => printError(errors, error),
    /** Redraws at most 10 times a second. */
    redraw: loop.redraw,
    /** Alerts the person, unless `CAPSTAN_BELL=0`. */
    bell: (words: string): void => signal(bell(words, io.environment)),
    /** Shows a text in `$PAGER`, `LESS=FRX`. The text is escaped already. */
    page: (text: string): Promise<void> => lend(() => pageInProgram(io, text)),
  };
}

/**
 * Returns the sequence that alerts the person: a notification (OSC 9) outside tmux, else the bell. Empty with
 * `CAPSTAN_BELL=0`.
 *
 * @param words Fixed text. Text of capsules would need escaping.
 */
function bell(words: string, { TMUX, TERM, CAPSTAN_BELL }: CommandIo['environment']): string {
  if (CAPSTAN_BELL === '0') return '';
  const isPlain = TMUX !== undefined || /^(?:tmux|screen|linux)/.test(TERM ?? '');
  return isPlain ? '\u0007' : `\u001b]9;${words}\u0007`;
}
