import type { StopSignal } from '../../io/watch-signals.ts';
import { type InputLine, openLine } from '../input/input-line.ts';
import type { View } from '../view.ts';
import type { ConfirmPart } from './confirm-part.ts';
import type { IdleFacts } from './screen/idle-hint.ts';

/** What the program is showing, apart from its runs and questions. */
export interface MenuState {
  line: InputLine;
  /** The one on top is drawn. */
  readonly views: View[];
  confirm: ConfirmPart | undefined;
  facts: IdleFacts;
  /** Paths for `@`; undefined: not read yet. */
  files: readonly string[] | undefined;
  /** What Ctrl-O opens. */
  folded: string;
  /** Shown in place of the hint until the next key. */
  notice: string;
  /** When Ctrl-C was pressed on an empty line. */
  quitMs: number;
  /** Text of finished steps, buffered while a question has the focus. */
  held: string[];
  /** The program is leaving; undefined: not yet. */
  leaving: { readonly signal: StopSignal | undefined } | undefined;
}

export const createMenuState = (facts: IdleFacts): MenuState => ({
  line: openLine(),
  views: [],
  confirm: undefined,
  facts,
  files: undefined,
  folded: '',
  notice: '',
  quitMs: Number.NEGATIVE_INFINITY,
  held: [],
  leaving: undefined,
});
