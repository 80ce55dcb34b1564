import type { CommandIo } from './command.ts';

const WIDTH = 24;
const EVERY_MS = 100;

/** A line on stderr that fills: `Embedding texts  ████████░░░░  120 of 300`. */
export interface ProgressLine {
  /** @param shown What stands behind the bar. Default: `done of total`. */
  readonly tell: (done: number, total: number, shown?: string) => void;
  /** Takes the line away, as the last step of the work does. Called again, it does nothing. */
  readonly end: () => void;
}

/**
 * Draws what takes long, where somebody looks on: nothing within the first moment, one line on a terminal, nothing
 * elsewhere.
 *
 * @param afterMs Work that is over within this time is not shown. Default 300.
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
    tell(done, total, shown = `${done} of ${total}`) {
      if (done >= total) return end();
      const nowMs = performance.now();
      const isDue = nowMs - beganMs >= afterMs && nowMs - shownMs >= EVERY_MS;
      if (!io.isTerminal || !isDue) return;
      shownMs = nowMs;
      const full = Math.round((WIDTH * Math.min(done, total)) / Math.max(total, 1));
      io.stderr(`\r\u001b[2K${what}  ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}  ${shown}`);
    },
    end,
  };
}
