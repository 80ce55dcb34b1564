import type { WriteStream } from 'node:tty';
import type { Drawn } from '../../frame.ts';
import { textWidth } from '../../terminal/text-width.ts';

interface DrawLoopOptions {
  readonly terminal: Pick<WriteStream, 'columns' | 'on' | 'off'>;
  /** Writes to the terminal at once. */
  readonly write: (text: string) => void;
  readonly draw: () => Drawn;
  /** The terminal is xterm.js, which moves its cursor differently when it becomes narrower. */
  readonly isXtermJs: boolean;
}

/** Minimum time between two frames, in milliseconds. Keys draw immediately. */
const FRAME_MS = 100;
const NOTHING: Drawn = { lines: [] };
/** A terminal that knows these shows what is between them at once. */
const FRAME_START = '\u001b[?2026h';
const FRAME_END = '\u001b[?2026l';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Draws the live area at the bottom of a terminal, and prints above it. It begins with an empty live area. */
export function openDrawLoop({ draw, terminal, write, isXtermJs }: DrawLoopOptions) {
  let drawn = NOTHING;
  let columns = terminal.columns || 80;
  let printed = '';
  let isHidden = false;
  let drawnMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  /** Writes a frame in place of the last one, with what was printed above it. */
  const put = (next: Drawn) => {
    const frame = frameText(next);
    if (printed === '' && frame === frameText(drawn)) return;
    write(`${FRAME_START}${HIDE_CURSOR}${eraseText(drawn)}${printed}${frame}${FRAME_END}`);
    printed = '';
    drawn = next;
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
  const onResize = () => {
    const before = columns;
    columns = terminal.columns || 80;
    if (columns < before) {
      write(eraseText(drawn, { columns, isXtermJs }));
      drawn = NOTHING;
    }
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
    redrawNow() {
      if (!isHidden) soon ??= setImmediate(drawNow);
    },
    /** Prints into the scrollback above the live area. The text ends with a line break. */
    print(text: string) {
      printed += text;
      if (!isHidden) soon ??= setImmediate(drawNow);
    },
    /** Removes the live area, before a stop or another program in the terminal. Nothing is drawn until `show`. */
    hide() {
      stopTimers();
      if (!isHidden) put(NOTHING);
      isHidden = true;
    },
    /** Draws again, below the text that was written meanwhile. */
    show() {
      isHidden = false;
      drawNow();
    },
    /** Removes the live area for good. The cursor is below what was printed last. */
    close() {
      stopTimers();
      put(NOTHING);
      isHidden = true;
      terminal.off('resize', onResize);
    },
  };
}

/** The lines of a frame without spaces at their ends, and its cursor. Without a cursor, the line below the frame has it, hidden. */
function frameText({ lines, cursor }: Drawn): string {
  const text = lines.map((line) => `${line.trimEnd()}\n`).join('');
  return cursor
    ? `${text}\u001b[${lines.length - cursor.y}A\u001b[${cursor.x + 1}G${SHOW_CURSOR}`
    : text;
}

/**
 * Erases a frame, and leaves the cursor where its first line began.
 *
 * @param narrowed The terminal has become narrower and has wrapped the frame. Terminals wrap the line with the cursor
 *   differently, so it counts as one row: nothing above the frame is lost. xterm.js moves its cursor down by every wrapped
 *   row, also by those below it.
 */
function eraseText(
  { lines, cursor }: Drawn,
  narrowed?: { readonly columns: number; readonly isXtermJs: boolean },
): string {
  if (lines.length === 0) return '';
  const y = cursor?.y ?? lines.length;
  const wrapped = lines.map((line, index) =>
    narrowed && index !== y ? Math.max(0, Math.ceil(textWidth(line) / narrowed.columns) - 1) : 0,
  );
  const moved = narrowed?.isXtermJs ? wrapped : wrapped.slice(0, y);
  const up = moved.reduce((total, one) => total + one, y);
  return `${up > 0 ? `\u001b[${up}A` : ''}\r\u001b[J`;
}
