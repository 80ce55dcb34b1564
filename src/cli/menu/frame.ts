import type { Style } from '../text/style.ts';
import type { Symbols } from './terminal/symbols.ts';

/** The context of drawing. Drawing is a pure function of it and of the state. */
export interface Frame {
  /** Width of the terminal. */
  readonly columns: number;
  /** Number of lines that may be drawn. */
  readonly rows: number;
  /** Columns that a line of the live area may take: `min(columns - 1, 100)`. Prose wraps at it too. */
  readonly width: number;
  /** A monotonic clock, for seconds and spinners. */
  readonly nowMs: number;
  readonly symbols: Symbols;
  /** Colours, or none: SGR 1, 2, 3, 9 and 31 to 36 only. */
  readonly style: Style;
  /** No spinner (`symbols.still`), seconds every 5 s, streamed text by line. */
  readonly isReduced: boolean;
}

/** Lines of the live area. Untrusted text in them is escaped, and none is wider than `frame.width`. */
export interface Drawn {
  readonly lines: readonly string[];
  /** Cursor position: column and line, from 0. Undefined: hidden. */
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
}

/** The current frame of the spinner. */
export const spinnerAt = ({ symbols, nowMs, isReduced }: Frame): string => {
  const { spinner, still } = symbols;
  return isReduced ? still : (spinner[Math.floor(nowMs / SPINNER_MS) % spinner.length] ?? still);
};

/** Duration of one frame of the spinner, in milliseconds. */
export const SPINNER_MS = 125;
