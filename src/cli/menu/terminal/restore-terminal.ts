import type { ReadStream } from 'node:tty';

/** Marks pastes, and distinguishes Shift-Enter from Enter if the terminal can (kitty or xterm protocol). */
const TAKE = '\u001b[?2004h\u001b[>1u\u001b[>4;1m';

/** Ends an unfinished frame, and resets cursor, colours, pastes and keys. */
const RESTORE = '\u001b[?2026l\u001b[?25h\u001b[0m\u001b[?2004l\u001b[<u\u001b[>4m';

/**
 * Takes the terminal: raw mode, marked pastes. `restore` writes at once; `take` takes it again, after the process was
 * stopped. It is restored when `restore` is called, when this process exits, and before an uncaught
 * exception is printed.
 *
 * @param write Writes at once, so that it works while the process exits.
 */
export function holdTerminal(stdin: Pick<ReadStream, 'setRawMode'>, write: (text: string) => void) {
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
