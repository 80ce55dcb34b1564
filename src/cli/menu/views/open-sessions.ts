import { sessionText } from '../../commands/runs/sessions.ts';
import { type ListedSession, sessionColumns } from '../../lists/columns/session-columns.ts';
import { folderText } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import type { Frame } from '../frame.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';

const LIMIT = 200;

/** `✓ Session 3f9c0a12: the next line is a task in it` */
export const sessionLine = (id: string, { style, symbols }: Frame): string =>
  `${style.green(symbols.done)} Session ${shortId(id)}: the next line is a task in it`;

/** `/sessions`: the conversations of this folder. Enter continues one. */
export function openSessions(context: MenuContext): void {
  const { capstan, conversation, workspace } = context;
  openList<ListedSession>(context, {
    title: (rows, { symbols, home }) =>
      [`Sessions in ${folderText(workspace, home)}`, String(rows.length)].join(symbols.separator),
    columns: () => sessionColumns(false),
    keyOf: ({ id }) => id,
    load: () => capstan.sessions.list({ workspace, limit: LIMIT }),
    empty: 'No sessions yet. Press Esc and type a task to start one.',
    keys: [
      {
        key: 'enter',
        words: 'continue',
        run: (session) => {
          conversation.continueSession(session.id);
          context.closeView();
          context.print(sessionLine(session.id, context.frame()));
        },
      },
      {
        key: 'p',
        words: 'print',
        run: async (session) => {
          context.print(`\n${sessionText(await capstan.sessions.get(session.id)).trimEnd()}\n`);
        },
      },
    ],
  });
}
