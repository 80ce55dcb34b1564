import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';

/**
 * The question with this id, or the only one whose id ends with it.
 *
 * @param minChars The shortest end that counts: 4 to look at a question, 8 to answer it.
 * @throws AppError `APPROVAL_UNKNOWN`; `USAGE` if several match.
 */
export function findApproval({ approvals }: Stores, id: string, minChars: 4 | 8): Approval {
  const isEnd = /^[0-9a-f-]{4,36}$/i.test(id);
  if (isEnd && id.length < minChars) {
    const problem = `"${id}" is not exact enough for an answer. Write the last 8 characters of the id.`;
    throw new AppError('USAGE', { problem });
  }
  const found = isEnd ? approvals.endingWith(id.toLowerCase()) : [];
  const [first, second] = found;
  if (!first) throw new AppError('APPROVAL_UNKNOWN', { id: escapeText(id) });
  if (second) {
    const ids = found.map((row) => row.id).join(', ');
    throw new AppError('USAGE', { problem: `Several questions end with "${id}": ${ids}.` });
  }
  return first;
}
