import type { InputLine } from '../input/input-line.ts';
import type { View } from '../views/view.ts';
import type { ConfirmPart } from './confirm-part.ts';
import type { LiveRun } from './runs/live-run.ts';
import type { IdleFacts } from './screen/idle-hint.ts';

/** Text for the scrollback, and the run that it is about. It is escaped already. */
export interface Printed {
  readonly text: string;
  readonly run?: Pick<LiveRun, 'id' | 'task'> | undefined;
}

/** The state of the screen, apart from runs and questions. */
export interface MenuState {
  line: InputLine;
  /** Open views. The last one is drawn. */
  readonly views: View[];
  confirm?: ConfirmPart | undefined;
  facts: IdleFacts;
  /** Paths for `@`; undefined: not read yet. */
  files?: readonly string[] | undefined;
  /** The text that Ctrl-O opens. */
  folded: string;
  /** Shown in place of the hint until the next key. */
  notice: string;
  /** When Enter was pressed at pasted lines only. */
  pasteMs?: number;
  /** When Ctrl-C was pressed on an empty line. */
  quitMs: number;
  /** Ends the notice of Ctrl-C. */
  quitTimer?: NodeJS.Timeout | undefined;
  /** Text of finished steps, buffered while a question has the focus. */
  readonly held: Printed[];
  /** The run whose text was printed last; undefined: something else was. */
  voice?: string | undefined;
  /** Whether the program is ending. */
  isLeaving: boolean;
}
