import type { WriteStream } from 'node:tty';
import type { Drawn } from '../../frame.ts';
import { cutEnd, textWidth } from '../../terminal/text-width.ts';

interface DrawLoopOptions {
  readonly terminal: Pick<WriteStream, 'columns' | 'on' | 'off'>;
  /** Writes to the terminal at once. */
  readonly write: (text: string) => void;
  readonly draw: () => Drawn;
  /** The terminal is xterm.js, which moves its cursor down by every wrapped row, also by those below it. */
  readonly isXtermJs: boolean;
}

export type DrawLoop = ReturnType<typeof openDrawLoop>;

/** Minimum time between two frames, in milliseconds. Keys draw immediately. */
const FRAME_MS = 100;
const NOTHING: Drawn = { lines: [] };

/** Draws the live area at the bottom of a terminal, empty at first, and prints above it. */
export function openDrawLoop({ terminal, write, draw, isXtermJs }: DrawLoopOptions) {
  let columns = terminal.columns || 80;
  let drawn = NOTHING;
  let shown = '';
  let printed = '';
  let isHidden = false;
  let drawnMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  /** Replaces the frame, which begins `up` rows above the cursor. A frame that did not change is not written. */
  const put = (next: Drawn, up = cursorRow(drawn)) => {
    const text = frameText(next, columns);
    if (text === shown && printed === '') return;
    const erase = `${up > 0 ? `\u001b[${up}A` : ''}\r\u001b[J`;
    write(`\u001b[?2026h${erase}${printed}${text}\u001b[?2026l`);
    printed = '';
    drawn = next;
    shown = text;
  };
  const stopTimers = () => {
    clearTimeout(timer);
    clearImmediate(soon);
    timer = undefined;
    soon = undefined;
  };
  const drawNow = () => {
    stopTimers();
    if (isHidden) return;
    drawnMs = performance.now();
    put(draw());
  };
  const redrawNow = () => {
    if (!isHidden) soon ??= setImmediate(drawNow);
  };
  const hide = () => {
    stopTimers();
    isHidden = true;
    put(NOTHING);
  };
  const onResize = () => {
    const now = terminal.columns || 80;
    if (now < columns) put(NOTHING, cursorRow(drawn) + wrappedRows(drawn, now, isXtermJs));
    columns = now;
    drawNow();
  };
  terminal.on('resize', onResize);

  return {
    /** Draws soon: at most 10 times a second. */
    redraw() {
      if (isHidden || timer || soon) return;
      timer = setTimeout(drawNow, Math.max(0, FRAME_MS - (performance.now() - drawnMs)));
    },
    /** Draws in the next turn of the event loop, for example after a key. */
    redrawNow,
    /** Prints into the scrollback above the live area. The text ends with a line break. */
    print(text: string) {
      printed += text;
      redrawNow();
    },
    /** Removes the live area, before a stop or another program in the terminal. Nothing is drawn until `show`. */
    hide,
    /** Draws again, below the text that was written meanwhile. */
    show() {
      isHidden = false;
      drawNow();
    },
    /** Removes the live area for good. The cursor is below what was printed last. */
    close() {
      hide();
      terminal.off('resize', onResize);
    },
  };
}

/** Rows of a frame above the cursor, which is below the frame if it is hidden. */
const cursorRow = ({ lines, cursor }: Drawn): number => cursor?.y ?? lines.length;

/** The lines of a frame, and its cursor. */
function frameText({ lines, cursor }: Drawn, columns: number): string {
  const text = lines.map((line) => `${cutEnd(line, columns, { cut: '…' }).trimEnd()}\n`).join('');
  if (!cursor) return `${text}\u001b[?25${lines.length > 0 ? 'l' : 'h'}`;
  return `${text}\u001b[${lines.length - cursor.y}A\u001b[${cursor.x + 1}G\u001b[?25h`;
}

/**
 * Further rows above the cursor after a narrower terminal has wrapped the frame. Terminals wrap the line with the cursor
 * differently, so it counts as one row: nothing above the frame is lost.
 */
function wrappedRows(drawn: Drawn, columns: number, isXtermJs: boolean): number {
  const y = cursorRow(drawn);
  return drawn.lines
    .map((line, at) => (at === y ? 0 : Math.max(0, Math.ceil(textWidth(line) / columns) - 1)))
    .slice(0, isXtermJs ? undefined : y)
    .reduce((sum, rows) => sum + rows, 0);
}
