import { printError } from '../../errors/print-error.ts';
import type { MenuContext } from '../menu-context.ts';
import { bell } from '../terminal/bell.ts';
import { openConfirm } from './confirm-part.ts';
import type { Conversation } from './conversation.ts';
import type { Menu, MenuParts } from './menu.ts';
import type { MenuState } from './menu-state.ts';
import { editInProgram, pageInProgram, runInTerminal } from './with-program.ts';

interface ContextParts {
  readonly state: MenuState;
  readonly quit: Menu['quit'];
  readonly submit: MenuContext['submit'];
  readonly conversation: () => Conversation;
  /** Whether prints wait, because a question has the focus. */
  readonly isHeld: () => boolean;
  /** A view was closed: it may have changed settings. */
  readonly onViewClosed: () => void;
}

/** What commands, views and parts may do with the program. */
export function createContext(
  { io, screen, capstan }: Pick<MenuParts, 'io' | 'screen' | 'capstan'>,
  { state, quit, submit, conversation, isHeld, onViewClosed }: ContextParts,
): MenuContext {
  const { loop } = screen;
  const run = runInTerminal(io);
  const print = (text: string) => (isHeld() ? void state.held.push(text) : loop.print(`${text}\n`));
  return {
    capstan,
    io,
    workspace: io.cwd,
    frame: screen.frame,
    print,
    keepFolded(text) {
      state.folded = text;
    },
    fail(error) {
      const { environment } = io;
      printError({ stderr: (text) => loop.print(text), environment, isTerminal: true }, error);
    },
    redraw: loop.redraw,
    bell: (words) => screen.signal(bell(words, io.environment)),
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
    editText: (text, fileName) => screen.lend(() => editInProgram(run, io, { text, fileName })),
    page: (text) => screen.lend(() => pageInProgram(run, io, text)),
    submit,
    quit: () => quit(),
  };
}
