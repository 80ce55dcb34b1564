import type { Capstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import type { StopSignal } from '../../io/watch-signals.ts';
import type { Conversation } from './conversation.ts';
import type { MenuContext } from './create-context.ts';
import type { QuestionFocus } from './input/question-focus.ts';
import type { MenuState } from './menu-state.ts';
import type { HeldScreen } from './screen/hold-screen.ts';

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
