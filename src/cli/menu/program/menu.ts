import type { Capstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import type { StopSignal } from '../../io/watch-signals.ts';
import type { InputLine } from '../input/input-line.ts';
import type { View } from '../views/view.ts';
import type { ConfirmPart } from './confirm-part.ts';
import type { Conversation } from './conversation.ts';
import type { MenuContext } from './create-context.ts';
import type { QuestionFocus } from './input/question-focus.ts';
import type { HeldScreen } from './screen/hold-screen.ts';
import type { IdleFacts } from './screen/idle-hint.ts';

/** The parts that key handling and drawing use. */
export interface Menu {
  readonly io: CommandIo;
  readonly screen: HeldScreen;
  readonly capstan: Capstan;
  readonly state: MenuState;
  readonly context: MenuContext;
  readonly conversation: Conversation;
  readonly questions: QuestionFocus;
  /** Refreshes the hint. Never rejects. */
  refresh(): Promise<void>;
  /** Ends the program; a second call while it parks its runs ends it immediately. */
  quit(signal?: StopSignal): void;
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
  /** Set for a second after Ctrl-C was pressed on an empty line: another one quits. */
  quitTimer?: NodeJS.Timeout | undefined;
  /** Text of finished steps, buffered while a question has the focus. */
  readonly held: string[];
  /** Whether the program is ending. */
  isLeaving: boolean;
}
