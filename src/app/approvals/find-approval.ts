import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';

/**
 * The question with this id, or the only one whose id begins with it.
 *
 * @throws AppError `APPROVAL_UNKNOWN`; `USAGE` if several match.
 */
export function findApproval({ approvals }: Stores, id: string): Approval {
  const found = /^[0-9a-f-]{4,36}$/i.test(id) ? approvals.startingWith(id.toLowerCase()) : [];
  const [first, second] = found;
  if (!first) throw new AppError('APPROVAL_UNKNOWN', { id: escapeText(id) });
  if (second) {
    const ids = found.map((row) => row.id).join(', ');
    throw new AppError('USAGE', { problem: `Several questions begin with "${id}": ${ids}.` });
  }
  return first;
}
