import type { ApprovalKind } from '../../../contract/approval.ts';
import type { Drawn, Frame } from '../frame.ts';
import type { PartContext } from '../menu-context.ts';
import type { KeyInput } from '../terminal/key.ts';

/**
 * One question to the person while it has the focus. The program decides when: the line is empty and no key was pressed for
 * 0.5 s; the oldest question first. Until then the hint is `1 question waits · Tab`. It opens the part, which prints the
 * whole question once (`context.print`), then draws its key line and gets the keys. Esc and `s` skip it, Tab gives the
 * focus to the line and back, Ctrl-C and Ctrl-D give it to the line; the program handles Esc, Tab, Ctrl-C and
 * Ctrl-D itself while `isEditing` is false; `s` is the part's own.
 *
 * The part answers with `context.capstan.approvals.answer` and resolves `done` when the question is closed in any way.
 */
export interface QuestionPart {
  /** The key line, two lines when narrow; or the editor of `Y` and `N`, with its cursor. At most `frame.rows` lines. */
  draw(frame: Frame): Drawn;
  /** A key or a paste while it has the focus. */
  onKey(input: KeyInput): void;
  /** It takes free text: the program draws the input line below it, letters go there, and Enter calls `onText`. */
  readonly takesText: boolean;
  onText(text: string): void;
  /** The input hint below the line. Only with `takesText`. */
  readonly hint?: string;
  /** The editor of `Y` or `N` is open: Esc is its own key. */
  readonly isEditing: boolean;
  /** Esc, or its run no longer waits: prints that it stays open, and ends. */
  skip(): void;
  /** Answered or expired elsewhere: prints who answered, once, and ends. */
  closeElsewhere(answer: string, by: string): void;
  /** Resolves when it no longer needs the focus. */
  readonly done: Promise<'answered' | 'skipped'>;
}

/** A question that waits, as the program lists it. */
export interface WaitingQuestion {
  readonly approvalId: string;
  readonly runId: string;
  readonly kind: ApprovalKind;
}

/**
 * Opens a question and prints it.
 *
 * @param place `1 of 3` if several wait.
 */
export type OpenQuestionPart = (
  question: WaitingQuestion,
  context: PartContext,
  place: { readonly index: number; readonly count: number },
) => Promise<QuestionPart | undefined>;
