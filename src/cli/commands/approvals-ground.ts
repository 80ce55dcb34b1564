import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';

/**
 * The question of that id, or the only one whose id begins like this.
 *
 * @throws AppError `APPROVAL_UNKNOWN`; `USAGE` where several fit.
 */
export const findApproval = ({ approvals }: Stores, id: string): Approval =>
  onlyOne(id, isPrefix(id) ? approvals.startingWith(id.toLowerCase()) : []);

/** The one row that a prefix means. */
export function onlyOne<Row extends { readonly id: string }>(
  id: string,
  found: readonly Row[],
): Row {
  const [first, second] = found;
  if (!first) throw new AppError('APPROVAL_UNKNOWN', { id: escapeText(id) });
  if (second) {
    const ids = found.map((row) => row.id).join(', ');
    throw new AppError('USAGE', { problem: `Several begin with "${id}": ${ids}.` });
  }
  return first;
}

/** Whether a text may begin an id. */
export const isPrefix = (id: string): boolean => /^[0-9a-f-]{4,36}$/i.test(id);
