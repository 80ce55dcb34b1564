import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import {
  findByIdToChange,
  findByIdToRead,
  type IdSearch,
} from '../../coordinator/store/find-by-id.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';

/** `approvals.get`: see there. */
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
