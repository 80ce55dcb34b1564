import type { RememberedAnswer } from '../../broker/questions/remembered-answers.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { findByIdToChange } from '../../coordinator/store/find-by-id.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import { assertActor } from '../assert-actor.ts';

export interface RevokedAnswer {
  readonly id: string;
  readonly capsuleId: string;
  readonly operation: string;
  /** False if it had been revoked before. */
  readonly isRevoked: boolean;
}

/** `approvals.revoke`: see there. */
export function revokeRemembered(
  { journal, remembered, audit }: Stores,
  given: string,
  { by }: { readonly by: string },
): RevokedAnswer {
  assertActor(by);
  const { id, capsuleId, operation } = findAnswer(given, remembered.list());
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

const findAnswer = (given: string, rows: readonly RememberedAnswer[]): RememberedAnswer =>
  findByIdToChange(given, {
    what: 'remembered answers',
    find: (id) => rows.find((row) => row.id === id),
    endingWith: (suffix) => rows.filter(({ id }) => id.endsWith(suffix)),
    unknown: (id) =>
      new AppError('APPROVAL_UNKNOWN', { id: escapeText(String(id)), kind: 'remembered' }),
  });
