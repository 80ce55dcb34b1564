import type { RememberedAnswer } from '../../broker/questions/remembered-answers.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { assertActor } from '../assert-actor.ts';

export interface RevokedAnswer {
  readonly id: string;
  readonly capsuleId: string;
  readonly operation: string;
  /** False if it had been revoked before. */
  readonly isRevoked: boolean;
}

/**
 * Ends a remembered answer: the next request like it is asked about again.
 *
 * @param id Its id, or the last 8 characters of it.
 */
export function revokeRemembered(
  { journal, remembered, audit }: Stores,
  given: string,
  { by }: { readonly by: string },
): RevokedAnswer {
  assertActor(by);
  const { id, capsuleId, operation } = onlyOne(given, remembered.list());
  let isRevoked = false;
  journal.commit(() => {
    isRevoked = remembered.revoke(id);
    if (!isRevoked) return;
    const detail = { capsuleId, operation };
    audit.append({
      actor: `person:${by}`,
      action: 'answer.revoked',
      runId: null,
      ref: id,
      detail,
    });
  });
  return { id, capsuleId, operation, isRevoked };
}

function onlyOne(given: string, rows: readonly RememberedAnswer[]): RememberedAnswer {
  const suffix = given.toLowerCase();
  const isId = /^[0-9a-f-]{8,36}$/.test(suffix);
  const found = isId ? rows.filter(({ id }) => id.endsWith(suffix)) : [];
  const [first, second] = found;
  if (!first) throw new AppError('APPROVAL_UNKNOWN', { id: escapeText(given) });
  if (!second) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw new AppError('USAGE', { problem: `Several answers end with "${given}": ${ids}.` });
}
