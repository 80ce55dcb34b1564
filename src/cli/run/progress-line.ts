import type { CommandIo } from '../command.ts';

const WIDTH = 24;
const EVERY_MS = 100;

/** A progress bar on stderr: `Embedding texts  ████████░░░░  120 of 300`. */
export interface ProgressLine {
  /** Removes the line if `done` reaches `total`. @param label The text after the bar. Default: `done of total`. */
  readonly update: (done: number, total: number, label?: string) => void;
  /** Removes the line. Can be called repeatedly. */
  readonly end: () => void;
}

/**
 * Creates a progress bar. It is drawn only on a terminal.
 *
 * @param afterMs Delay before it is first drawn, so that short work shows none. Default 300.
 */
export function createProgressLine(
  io: Pick<CommandIo, 'isTerminal' | 'stderr'>,
  what: string,
  afterMs = 300,
): ProgressLine {
  const beganMs = performance.now();
  let shownMs = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (shownMs === Number.NEGATIVE_INFINITY) return;
    shownMs = Number.NEGATIVE_INFINITY;
    io.stderr('\r\u001b[2K');
  };
  return {
    update(done, total, label = `${done} of ${total}`) {
      if (done >= total) return end();
      const nowMs = performance.now();
      const isDue = nowMs - beganMs >= afterMs && nowMs - shownMs >= EVERY_MS;
      if (!io.isTerminal || !isDue) return;
      shownMs = nowMs;
      const full = Math.round((WIDTH * Math.min(done, total)) / Math.max(total, 1));
      io.stderr(`\r\u001b[2K${what}  ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}  ${label}`);
    },
    end,
  };
}
