import type { Approval } from '../../../contract/approval.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';

const REFRESH_MS = 1_000;

/** `/approvals`: the open questions of every run. Enter opens one to answer it. */
export function openApprovals(context: MenuContext): void {
  openList<Approval>(context, {
    title: (rows, { symbols }) => ['Approvals', countText(rows.length)].join(symbols.separator),
    columns: () => approvalColumns(false, new Date()),
    keyOf: ({ id }) => id,
    load: () => context.capstan.approvals.list(),
    empty: 'Nothing waits for an answer.',
    refreshMs: REFRESH_MS,
    keys: [
      {
        key: 'enter',
        words: 'open and answer',
        run: async (approval) => {
          const end = await context.ask(approval.id, approval.runId);
          if (end === 'answered') await offerResume(context, approval.runId);
        },
      },
    ],
  });
}

const countText = (count: number): string => {
  if (count === 0) return 'none waits';
  return count === 1 ? '1 waits' : `${count} wait`;
};

/** Width of the question without the task, in columns. */
const QUESTION_COLUMNS = 52;

/** Asks whether to continue a parked run without open questions. A run of another process continues by itself. */
async function offerResume(context: MenuContext, runId: string): Promise<void> {
  const { run } = await context.capstan.runs.get(runId);
  if (run.status !== 'parked' || run.openQuestions > 0) return;
  const room = Math.max(8, context.frame().width - QUESTION_COLUMNS);
  const name = `${shortId(runId)}: ${shorten(run.task, room)}`;
  if (!(await context.confirm(`Continue the parked run ${name}?`))) {
    context.print(
      `  It stays parked. To continue it, open /runs, choose ${shortId(runId)} and press r.`,
    );
    return;
  }
  context.closeView();
  await context.conversation.resume(runId);
}
