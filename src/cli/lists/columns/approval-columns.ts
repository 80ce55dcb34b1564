import type { ApprovalOfTask } from '../../../app/approvals/find-approval.ts';
import type { Approval } from '../../../contract/approval.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import { costOf, tierOf } from '../../approval/approval-block.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { ageText, oneLine } from '../cell-text.ts';
import { type ListColumn, workspaceColumn } from './list-column.ts';

/** The columns of a list of questions. `hasAnswered`: answered ones too, so their state is shown. */
export const approvalColumns = (
  hasAnswered: boolean,
  now: Date,
): readonly ListColumn<ApprovalOfTask>[] => [
  {
    name: 'question',
    value: ({ id }) => shortId(id),
    cell: 'value',
    paint: (cell, _row, { style }) => style.bold(cell),
  },
  { name: 'asked', value: ({ createdAt }) => createdAt },
  {
    name: 'status',
    value: (approval) => approvalState(approval, now),
    ...(hasAnswered ? { cell: (approval) => approvalState(approval, now) } : {}),
  },
  { name: 'run', value: ({ runId }) => shortId(runId) },
  { name: 'capsule', value: ({ capsuleId }) => oneLine(capsuleId) },
  {
    name: 'tier',
    value: (approval) =>
      approval.kind === 'question' ? '' : tierOf(approval).replace('tier ', ''),
  },
  { name: 'cost', value: (approval) => (approval.kind === 'question' ? '' : costOf(approval)) },
  { name: 'age', cell: ({ createdAt }) => ageText(createdAt, now), drop: 1 },
  workspaceColumn(true),
  {
    name: 'asks',
    value: questionLine,
    cell: (approval, { symbols }) =>
      `${shorten(approval.task, TASK_CHARS)}${symbols.separator}${questionLine(approval)}`,
    cut: 'text',
    tail: ({ status, expiresAt }) =>
      status === 'pending' && expiresAt !== null ? `until ${shortTime(expiresAt)}` : '',
  },
  { name: 'task', value: ({ task }) => oneLine(task) },
];

/** Longest beginning of a task before its question, in characters: two runs may ask the same. */
const TASK_CHARS = 24;

const questionLine = ({ question }: Approval): string => oneLine(question);

function approvalState({ kind, status, answer, expiresAt }: Approval, now: Date): string {
  if (status === 'pending')
    return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'overdue' : 'waits';
  return kind === 'question' && answer !== null ? 'answered' : oneLine(answer ?? 'expired');
}
