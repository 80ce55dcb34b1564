import type { Session } from '../../../app/sessions/sessions-api.ts';
import { sessionText } from '../../commands/runs/sessions.ts';
import { type ListedSession, sessionColumns } from '../../lists/columns/session-columns.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { counted } from '../../text/format.ts';
import { folderText } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import { drawMarkdown } from '../draw/draw-markdown.ts';
import type { Frame } from '../frame.ts';
import type { MenuContext } from '../program/create-context.ts';
import { echoLines } from '../program/input/echo.ts';
import { openList } from './list/open-list.ts';
import { keepModel } from './open-models.ts';

const LIMIT = 200;

/** Number of tasks that are shown of a session that is continued. */
const SHOWN_TASKS = 3;
/** A longer task or answer is cut to this number of lines. */
const MAX_LINES = 8;
/** Fewer lines than this are not worth a line that counts them. */
const MIN_REST = 3;

/** Prints the last tasks of a session with the beginning of their answers, and that it continues. Ctrl-O opens all of them. */
export async function printSession(id: string, context: MenuContext): Promise<void> {
  const { runs } = await context.capstan.sessions.get(id);
  const frame = context.frame();
  const { style, symbols } = frame;
  const shown = runs.slice(-SHOWN_TASKS);
  const next = (await context.conversation.isContinued())
    ? 'the next line continues the parked run with your words'
    : 'the next line is a task in it';
  const earlier = runs.length - shown.length;
  const lines = [
    ...(earlier > 0 ? [style.dim(`  ${symbols.cut} ${counted(earlier, 'earlier task')}`)] : []),
    ...shown.flatMap((run) => taskLines(run, frame, MAX_LINES)),
    `${style.green(symbols.done)} Session ${shortId(id)}: ${next}`,
  ];
  context.keepFolded(runs.flatMap((run) => taskLines(run, frame)).join('\n'));
  context.print(lines.join('\n'));
  const newest = runs.at(-1);
  if (newest) await keepModel(context, newest.id);
}

/** A task, its answer, and how it ended if it did not complete. */
function taskLines(
  run: Session['runs'][number],
  frame: Frame,
  maxLines = Number.POSITIVE_INFINITY,
): string[] {
  const { style, symbols } = frame;
  const answer = run.answer ? drawMarkdown(run.answer.trimEnd(), frame, { isFolded: false }) : [];
  const isParked = run.status === 'parked';
  const marks: Readonly<Record<string, string>> = {
    parked: style.yellow(symbols.parked),
    pending: style.dim(symbols.waiting),
    running: style.dim(symbols.waiting),
  };
  const mark = marks[run.status] ?? style.red(symbols.failed);
  const resume = isParked ? `${symbols.separator}/resume continues it` : '';
  return [
    ...firstLines(echoLines(run.task, frame), frame, maxLines),
    ...firstLines(answer, frame, maxLines),
    ...(run.status === 'completed' ? [] : [`${mark} ${outcomeText(run, 0)}${resume}`]),
    '',
  ];
}

function firstLines(lines: readonly string[], { style, symbols }: Frame, most: number) {
  const rest = lines.length - most;
  if (rest < MIN_REST) return lines;
  const more = `  ${symbols.cut} ${counted(rest, 'more line')}${symbols.separator}Ctrl-O opens all of it`;
  return [...lines.slice(0, most), style.dim(more)];
}

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
          return printSession(session.id, context);
        },
      },
      {
        key: 'p',
        words: 'print',
        run: async (session, { print }) => {
          print(sessionText(await capstan.sessions.get(session.id)).trimEnd());
        },
      },
    ],
  });
}
