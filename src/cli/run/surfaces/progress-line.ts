import type { CommandIo } from '../../command.ts';
import { type Progress, progressText } from '../../text/progress-text.ts';

const EVERY_MS = 100;
const EVERY_MS_IN_PIPE = 10_000;

/** Progress on stderr: `Embedding capsules  ████░░░░░░░░ 34 % · 120 of 350 · 45/s · 6 s left`. */
export interface ProgressLine {
  /** Removes the line if `done` reaches `total`. @param file Of a download: `done` and `total` are bytes. */
  readonly update: (done: number, total: number, file?: string) => void;
  /** Removes the line. Can be called repeatedly. */
  readonly end: () => void;
}

export interface ProgressLineOptions {
  /** Default: `texts`. */
  readonly unit?: Progress['unit'];
  /** Delay before it is first drawn, so that short work shows none. Default 300. */
  readonly afterMs?: number;
  /** Without a terminal: a line every ten seconds. Default: nothing. */
  readonly isInPipe?: boolean;
}

/** Creates a line that is drawn again on a terminal. */
export function createProgressLine(
  io: Pick<CommandIo, 'isTerminal' | 'stderr'> & Partial<Pick<CommandIo, 'environment'>>,
  what: string,
  { unit = 'texts', afterMs = 300, isInPipe = false }: ProgressLineOptions = {},
): ProgressLine {
  const isAscii = io.environment?.['CAPSTAN_ASCII'] === '1' || io.environment?.['TERM'] === 'linux';
  const beganMs = performance.now();
  const isShown = io.isTerminal || isInPipe;
  const firstMs = io.isTerminal ? afterMs : EVERY_MS_IN_PIPE;
  const everyMs = io.isTerminal ? EVERY_MS : EVERY_MS_IN_PIPE;
  let start: { readonly done: number; readonly ms: number } | undefined;
  let shownMs = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (shownMs === Number.NEGATIVE_INFINITY) return;
    shownMs = Number.NEGATIVE_INFINITY;
    if (io.isTerminal) io.stderr('\r\u001b[2K');
  };
  return {
    update(done, total, file) {
      const nowMs = performance.now();
      if (start === undefined || done < start.done) start = { done, ms: nowMs };
      if (done >= total) return end();
      if (!isShown || nowMs - beganMs < firstMs || nowMs - shownMs < everyMs) return;
      shownMs = nowMs;
      const times = { doneBefore: start.done, elapsedMs: nowMs - start.ms };
      const text = `${what}  ${progressText({ done, total, unit: file ? 'bytes' : unit, ...times }, isAscii)}`;
      io.stderr(io.isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
    },
    end,
  };
}
