import type { Drawn, Frame } from '../frame.ts';
import type { KeyInput } from '../terminal/key.ts';

/**
 * One question to the person while it has the focus. The part prints the whole question once (`context.print`), draws its
 * key line and gets the keys. Esc and the key `s` skip it. Tab moves the focus to the line and back; Ctrl-C and Ctrl-D move it to
 * the line. While `isEditing` is false, the program handles Esc, Tab, Ctrl-C and Ctrl-D, and the part handles `s`.
 */
export interface QuestionPart {
  /** The key line, two lines when narrow; or the editor of `Y` and `N`, with its cursor. At most `frame.rows` lines. */
  draw(frame: Frame): Drawn;
  /** A key or a paste while it has the focus. */
  onKey(input: KeyInput): void;
  /** Whether it takes free text: the program then draws the input line below it, and Enter calls `onText`. */
  readonly takesText: boolean;
  /** Whether a key answers on an empty line, although text is typed: the digit of a choice. */
  isAnswerKey(input: KeyInput): boolean;
  onText(text: string): void;
  /** The input hint below the line. Only with `takesText`. */
  readonly hint?: string;
  /** Whether the terms editor of `Y` or `N` is open. It then handles Esc itself. */
  readonly isEditing: boolean;
  /** Prints that it stays open, and closes it. Called for Esc, and when its run no longer waits. */
  skip(): void;
  /** Prints who answered, and closes it. Called when it was answered elsewhere or expired. */
  closeElsewhere(answer: string, by: string): void;
  /** Resolves when it no longer needs the focus, however it was closed. */
  readonly done: Promise<'answered' | 'skipped'>;
}

/** A question that was opened, and can print all that it has printed again. */
export type OpenedQuestion = QuestionPart & { printAgain(): void };
