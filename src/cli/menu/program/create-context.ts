import type { Capstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import { printError } from '../../errors/print-error.ts';
import type { MenuContext, PartContext } from '../menu-context.ts';
import { bell } from '../terminal/bell.ts';
import { openConfirm } from './confirm-part.ts';
import type { Conversation } from './conversation.ts';
import type { Menu, MenuParts, MenuState } from './menu.ts';
import type { HeldScreen } from './screen/hold-screen.ts';
import { editInProgram, pageInProgram } from './with-program.ts';

interface ContextParts {
  readonly state: MenuState;
  readonly quit: Menu['quit'];
  readonly submit: MenuContext['submit'];
  readonly conversation: () => Conversation;
  /** Whether prints wait, because a question has the focus. */
  readonly isHeld: () => boolean;
  /** Called after a view was closed, which may have changed settings. */
  readonly onViewClosed: () => void;
}

/** Creates the part of the program that commands, views, runs and questions use. */
export function createContext(
  { io, screen, capstan }: Pick<MenuParts, 'io' | 'screen' | 'capstan'>,
  { state, quit, submit, conversation, isHeld, onViewClosed }: ContextParts,
): MenuContext {
  const { loop } = screen;
  const part = partContext(capstan, io, screen);
  return {
    ...part,
    workspace: io.cwd,
    print: (text) => (isHeld() ? void state.held.push(text) : part.print(text)),
    keepFolded(text) {
      state.folded = text;
    },
    openView(view) {
      state.views.push(view);
      loop.redrawNow();
    },
    closeView() {
      state.views.pop()?.onClose?.();
      loop.redrawNow();
      onViewClosed();
    },
    get conversation() {
      return conversation();
    },
    async confirm(question) {
      const part = openConfirm(question);
      state.confirm = part;
      loop.redrawNow();
      try {
        return await part.answer;
      } finally {
        state.confirm = undefined;
        loop.redrawNow();
      }
    },
    editText: (text, fileName) => screen.lend(() => editInProgram(io, text, fileName)),
    submit,
    quit: () => quit(),
  };
}

/** Creates the subset for run parts and question parts. It needs no conversation; `keepFolded` does nothing. */
export function partContext(
  capstan: Capstan,
  io: CommandIo,
  { loop, frame, lend, signal }: HeldScreen,
): PartContext {
  const errors = { stderr: loop.print, environment: io.environment, isTerminal: true };
  return {
    capstan,
    io,
    frame,
    print: (text) => loop.print(`${text}\n`),
    keepFolded: () => {},
    fail: (error) => printError(errors, error),
    redraw: loop.redraw,
    bell: (words) => signal(bell(words, io.environment)),
    page: (text) => lend(() => pageInProgram(io, text)),
  };
}
