import { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:tty';
import type { Drawn } from '../frame.ts';
import { textWidth } from './text-width.ts';

/** The stream that Ink draws to. */
export interface LiveOutput extends EventEmitter {
  readonly isTTY: true;
  readonly columns: number;
  readonly rows: number;
  write(chunk: string): boolean;
  /** Records what is on the screen, so that it can be erased after the terminal becomes narrower. */
  drew(frame: Drawn): void;
  close(): void;
}

export const FRAME_START = '\u001b[?2026h';
export const FRAME_END = '\u001b[?2026l';

/**
 * Creates a stream for Ink over a terminal. It reports so many rows that Ink never clears the screen, writes each frame
 * at once, and erases the last frame when a narrower terminal has wrapped it.
 *
 * @param write Writes to the terminal.
 * @param isXtermJs The terminal is xterm.js: see `eraseWrapped`.
 */
export function createLiveOutput(
  terminal: Pick<WriteStream, 'columns' | 'on' | 'off'>,
  write: (text: string) => void,
  isXtermJs = false,
): LiveOutput {
  let held = '';
  /** Nesting depth of frames. The outermost frame is written at once. */
  let depth = 0;
  let drawn: Drawn = { lines: [] };
  let columns = terminal.columns || 80;
  const output = Object.assign(new EventEmitter(), {
    isTTY: true as const,
    columns,
    rows: 100_000,
    write(chunk: string) {
      if (chunk === FRAME_START) depth += 1;
      else if (chunk === FRAME_END) depth -= 1;
      else if (depth === 0) write(chunk);
      else held += chunk;
      if (depth > 0 || held === '') return true;
      write(`${FRAME_START}${held}${FRAME_END}`);
      held = '';
      return true;
    },
    drew(frame: Drawn) {
      drawn = frame;
    },
    close() {
      terminal.off('resize', onResize);
    },
  });
  const onResize = () => {
    const narrower = terminal.columns || 80;
    if (narrower < columns) write(eraseWrapped(drawn, narrower, isXtermJs));
    columns = narrower;
    output.columns = columns;
    output.emit('resize');
  };
  terminal.on('resize', onResize);
  return output;
}

/**
 * Erases a frame that a narrower terminal has wrapped, and leaves the cursor where Ink expects it: as many lines below
 * the frame's top as before. Terminals wrap the line with the cursor differently, so it counts as one row: nothing above
 * the frame is lost.
 *
 * @param isXtermJs The terminal moves its cursor down by every wrapped row, also by those below it.
 */
function eraseWrapped({ lines, cursor }: Drawn, columns: number, isXtermJs = false): string {
  const y = cursor?.y ?? lines.length;
  const wrapped = lines.map((line, index) =>
    index === y ? 0 : Math.max(0, Math.ceil(textWidth(line) / columns) - 1),
  );
  const sum = (rows: readonly number[]) => rows.reduce((total, one) => total + one, 0);
  const up = y + sum(isXtermJs ? wrapped : wrapped.slice(0, y));
  const below = lines.length - y;
  const erase = `${up > 0 ? `\u001b[${up}A` : ''}\r\u001b[J`;
  // The line breaks make room for the lines of the frame, because there may be fewer rows below it now.
  return `${erase}${'\n'.repeat(lines.length)}${below > 0 ? `\u001b[${below}A` : ''}`;
}
