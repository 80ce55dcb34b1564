import { formatBytes, formatDuration } from '../format.ts';

/** How far some work is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'texts';
  /** What was done when the clock began: a download can continue an earlier one. */
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
  const [filled, empty, dot] = isAscii ? ['#', '.', ', '] : ['█', '░', ' · '];
  const bar = `${filled.repeat(full)}${empty.repeat(CELLS - full)}`;
  const perMs = elapsedMs >= MIN_MS ? Math.max(done - doneBefore, 0) / elapsedMs : 0;
  return [
    `${bar} ${Math.floor(share * 100)} %`,
    unit === 'bytes' ? `${formatBytes(done)} of ${formatBytes(total)}` : `${done} of ${total}`,
    ...(perMs === 0 ? [] : [rateText(perMs * 1_000, unit), leftText((total - done) / perMs)]),
  ].join(dot);
}

/** A rate of a shorter time says nothing. */
const MIN_MS = 500;

const rateText = (perSecond: number, unit: Progress['unit']): string => {
  if (unit === 'bytes') return `${formatBytes(Math.round(perSecond))}/s`;
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
};

const leftText = (ms: number): string =>
  `${ms < 60_000 ? `${Math.max(Math.ceil(ms / 1_000), 0)} s` : formatDuration(ms)} left`;
