import { runText } from '../../commands/runs/runs-show.ts';
import { runColumns, runTitle } from '../../lists/columns/run-columns.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { printDiff } from '../commands/print-diff.ts';
import type { MenuContext } from '../program/create-context.ts';
import { answerLines, endLines } from '../run/result-lines.ts';
import { openList } from './list/open-list.ts';

const LIMIT = 200;
const REFRESH_MS = 1_000;

/** `/runs`: the runs of this folder. `a` shows those of all folders. */
export function openRuns(context: MenuContext): void {
  const { capstan, conversation, workspace } = context;
  let isAll = false;
  openList(context, {
    title: (runs, frame) => runTitle(runs, isAll ? undefined : workspace, frame),
    columns: () => runColumns(isAll),
    keyOf: ({ id }) => id,
    load: () => capstan.runs.list({ limit: LIMIT, ...(isAll ? {} : { workspace }) }),
    empty: 'No runs yet. Esc, then type what to do.',
    refreshMs: REFRESH_MS,
    keys: [
      {
        key: 'enter',
        words: 'open',
        run: ({ id }) => printRun(context, id),
      },
      {
        key: 'f',
        words: 'follow',
        run: ({ id }) => {
          context.closeView();
          return conversation.follow(id);
        },
      },
      {
        key: 'd',
        words: 'diff',
        run: ({ id }) => printDiff(context, { runId: id }),
      },
      {
        key: 'r',
        words: 'resume',
        run: ({ id }) => {
          context.closeView();
          return conversation.resume(id);
        },
      },
      {
        key: 'x',
        words: 'cancel (asks)',
        run: async ({ id, task }) => {
          const question = `Cancel ${shortId(id)} for good: ${shorten(task, 40)}?`;
          if (await context.confirm(question)) await capstan.runs.cancel(id, { by: 'terminal' });
        },
      },
      {
        key: 'a',
        words: 'all folders',
        isForAll: true,
        run: () => {
          isAll = !isAll;
        },
      },
    ],
  });
}

/** Prints a run: task, steps, effects, answer, outcome and changes. */
async function printRun({ capstan, print, frame }: MenuContext, runId: string): Promise<void> {
  const [details, changes] = await Promise.all([
    capstan.runs.get(runId),
    capstan.runs.diff(runId).catch(() => undefined),
  ]);
  const { document } = details;
  const answer = answerLines(document, frame(), false);
  const end = endLines(document, frame(), { changes, at: 'conversation' });
  print(['', runText(details, false).trimEnd(), ...answer, ...end.slice(0, -1)].join('\n'));
}
