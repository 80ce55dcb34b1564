import type { Approval } from '../../../contract/approval.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';
import { offerResume } from './question/offer-resume.ts';
import { openQuestionView } from './question/question-view.ts';

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
          const end = await openQuestionView(context, approval.id);
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
