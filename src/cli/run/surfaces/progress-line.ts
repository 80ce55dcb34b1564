import type { CommandIo } from '../../command.ts';
import { asciiSymbols, symbolsFor, unicodeSymbols } from '../../menu/terminal/symbols.ts';
import { formatBytes, formatDuration } from '../../text/format.ts';

const EVERY_MS = 100;
const EVERY_MS_IN_PIPE = 10_000;

interface ProgressLineOptions {
  /** Default: `texts`. */
  readonly unit?: Progress['unit'];
  /** Delay before it is first drawn, so that short work shows none. Default 300. */
  readonly afterMs?: number;
  /** Without a terminal: a line every ten seconds. Default: nothing. */
  readonly isInPipe?: boolean;
}

export type ProgressLine = ReturnType<typeof createProgressLine>;

/** Progress on stderr: `Embedding capsules  ████░░░░░░░░ 34 % · 120 of 350 · 45/s · 6 s left`. Drawn again on a terminal. */
export function createProgressLine(io: CommandIo, what: string, options: ProgressLineOptions = {}) {
  const { unit = 'texts', afterMs = 300, isInPipe = false } = options;
  const { isAscii } = symbolsFor(io.environment);
  const beganMs = performance.now();
  const isShown = io.isTerminal || isInPipe;
  const firstMs = io.isTerminal ? afterMs : EVERY_MS_IN_PIPE;
  const everyMs = io.isTerminal ? EVERY_MS : EVERY_MS_IN_PIPE;
  let start: { readonly done: number; readonly ms: number } | undefined;
  let shownMs = Number.NEGATIVE_INFINITY;
  const end = () => {
    if (io.isTerminal && shownMs !== Number.NEGATIVE_INFINITY) io.stderr('\r\u001b[2K');
    shownMs = Number.NEGATIVE_INFINITY;
  };
  return {
    /** Removes the line if `done` reaches `total`. @param file Of a download: `done` and `total` are bytes. */
    update(done: number, total: number, file?: string) {
      const nowMs = performance.now();
      if (start === undefined || done < start.done) start = { done, ms: nowMs };
      if (done >= total) return end();
      if (!isShown || nowMs - beganMs < firstMs || nowMs - shownMs < everyMs) return;
      shownMs = nowMs;
      const times = { doneBefore: start.done, elapsedMs: nowMs - start.ms };
      const text = `${what}  ${progressText({ done, total, unit: file ? 'bytes' : unit, ...times }, isAscii)}`;
      io.stderr(io.isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
    },
    /** Removes the line. Can be called repeatedly. */
    end,
  };
}

/** How far some work is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'texts';
  /** The progress at the start of the clock: a download can continue an earlier one. */
  readonly doneBefore: number;
  readonly elapsedMs: number;
}

const CELLS = 12;

/** `████░░░░░░░░ 34 % · 12 MB of 36 MB · 3.1 MB/s · 8 s left` */
export function progressText(
  { done, total, unit, doneBefore, elapsedMs }: Progress,
  isAscii = false,
): string {
  const share = total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
  const full = Math.floor(share * CELLS);
  const { barFull, barRest, separator } = isAscii ? asciiSymbols : unicodeSymbols;
  const bar = `${barFull.repeat(full)}${barRest.repeat(CELLS - full)}`;
  const perMs = elapsedMs >= MIN_MS ? Math.max(done - doneBefore, 0) / elapsedMs : 0;
  return [
    `${bar} ${Math.floor(share * 100)} %`,
    unit === 'bytes' ? `${formatBytes(done)} of ${formatBytes(total)}` : `${done} of ${total}`,
    ...(perMs === 0 ? [] : [rateText(perMs * 1_000, unit), leftText((total - done) / perMs)]),
  ].join(separator);
}

/** Minimum time for a meaningful rate. */
const MIN_MS = 500;

function rateText(perSecond: number, unit: Progress['unit']): string {
  if (unit === 'bytes') return `${formatBytes(Math.round(perSecond))}/s`;
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
}

const leftText = (ms: number): string =>
  `${ms < 60_000 ? `${Math.max(Math.ceil(ms / 1_000), 0)} s` : formatDuration(ms)} left`;
