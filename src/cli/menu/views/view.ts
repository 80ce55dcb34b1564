import type { Drawn, Frame } from '../frame.ts';
import type { KeyInput } from '../terminal/key.ts';

/**
 * Replaces the live area until it is closed: a list, a question, a setup.
 *
 * The program draws it after every key, after `context.redraw()`, and once a second if `isLive`. It gets all keys except
 * Ctrl-C and Ctrl-D, which close it, and Ctrl-Z. It handles Esc itself: one step back, finally `context.closeView()`.
 * Output of `context.print` stays in the scrollback above it.
 */
export interface View {
  /**
   * At most `frame.rows` lines; the last one names its keys. A view with text input draws its own line with a cursor: see
   * `drawInput` and `edit` in input/.
   */
  draw(frame: Frame): Drawn;
  onKey(input: KeyInput): void;
  /** Whether to redraw it once a second, because its content changes by itself. Default: false. */
  readonly isLive?: boolean;
  /** Any key closes it; a key other than Esc is then a key of the line. Default: false. */
  readonly isPassing?: boolean;
  /** Prints again what it has printed above itself, for a screen that has lost it. */
  printAgain?(): void;
  /** Called once when the view closes, however it was closed. */
  onClose?(): void;
}
