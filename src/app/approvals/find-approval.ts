import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import {
  findByIdToChange,
  findByIdToRead,
  type IdSearch,
} from '../../coordinator/store/runs/find-by-id.ts';

/** Implements `approvals.get`. */
export const findApprovalToRead = (stores: Pick<Stores, 'approvals'>, id: string): Approval =>
  findByIdToRead(id, searchOf(stores));

/**
 * Finds a question to answer: by id, or by the last 8 or more characters of it.
 *
 * @throws AppError `APPROVAL_UNKNOWN`; `USAGE` if several match, or if the id is shorter.
 */
export const findApprovalToAnswer = (stores: Pick<Stores, 'approvals'>, id: string): Approval =>
  findByIdToChange(id, searchOf(stores));

const searchOf = ({
  approvals: { find, endingWith },
}: Pick<Stores, 'approvals'>): IdSearch<Approval> => ({
  what: 'questions',
  find,
  endingWith,
  unknown: (id) => new AppError('APPROVAL_UNKNOWN', { id: escapeText(String(id)) }),
});

export interface ListApprovals {
  /** Answered and expired questions too, newest first. Default: only open questions, oldest first. */
  readonly all?: boolean | undefined;
  /** With `all`: the most to return. Default: 50. */
  readonly limit?: number | undefined;
}

/** A question with the task of its run. */
export interface ApprovalOfTask extends Approval {
  readonly task: string;
}

/** Questions of every run. */
export function listApprovals(stores: Stores, options: ListApprovals = {}) {
  return listed(stores, options).map((approval) => {
    return { ...approval, task: stores.runs.find(approval.runId)?.task ?? '' };
  });
}

function listed({ runs, approvals }: Stores, { all = false, limit = 50 }: ListApprovals) {
  if (!all) return approvals.pending();
  const found: Approval[] = [];
  for (const { id } of runs.list({ limit: MAX_RUNS })) {
    found.push(...approvals.of(id).toReversed());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

const MAX_RUNS = 10_000;
