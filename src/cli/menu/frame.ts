import type { Style } from '../text/style.ts';
import type { Symbols } from './terminal/symbols.ts';

/** The context of drawing. Drawing is a pure function of it and of the state. */
export interface Frame {
  /** Of the terminal. */
  readonly columns: number;
  /** Lines that may be taken now. 0: none. */
  readonly rows: number;
  /** Columns that a line of the live area may take: `min(columns - 1, 100)`. Prose wraps at it too. */
  readonly width: number;
  /** A monotonic clock, for seconds and spinners. */
  readonly nowMs: number;
  readonly symbols: Symbols;
  /** Colours, or none: SGR 1, 2 and 31 to 36 only. */
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

/** A step of the spinner, in milliseconds: 8 a second. */
export const SPINNER_MS = 125;
