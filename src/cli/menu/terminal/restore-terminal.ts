import type { ReadStream } from 'node:tty';

/** The terminal as this program needs it: every key by itself, pastes marked as such. */
export interface HeldTerminal {
  /** Leaves the terminal as it was found. Writes at once; a second call does nothing. */
  restore(): void;
  /** Takes it again, after a stop. */
  take(): void;
}

/** Marks pastes, and tells Shift-Enter from Enter if the terminal can (kitty's protocol, or xterm's). */
const TAKE = '\u001b[?2004h\u001b[>1u\u001b[>4;1m';

/** A frame that was cut off ends; cursor, colours, pastes and keys as they were. */
const RESTORE = '\u001b[?2026l\u001b[?25h\u001b[0m\u001b[?2004l\u001b[<u\u001b[>4m';

/**
 * Takes the terminal. It is restored when `restore` is called, when this process exits, and before an exception that
 * nobody caught is printed.
 *
 * @param write Writes at once, so that it works while the process exits.
 */
export function holdTerminal(
  stdin: Pick<ReadStream, 'setRawMode'>,
  write: (text: string) => void,
): HeldTerminal {
  let isHeld = false;
  const restore = () => {
    if (!isHeld) return;
    isHeld = false;
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    write(RESTORE);
    stdin.setRawMode(false);
  };
  const take = () => {
    if (isHeld) return;
    isHeld = true;
    process.on('exit', restore);
    process.on('uncaughtExceptionMonitor', restore);
    stdin.setRawMode(true);
    write(TAKE);
  };
  take();
  return { restore, take };
}
