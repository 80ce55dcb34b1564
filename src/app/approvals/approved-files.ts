import { dirname } from 'node:path';
import type { AgreedFile } from '../../broker/agreed/agreed-files.ts';
import { changedCapsule } from '../../broker/questions/agree.ts';
import type { Places } from '../../config/settings.ts';
import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { agreedFilesOf, agreedHashOf } from '../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { tryOr } from '../../platform/try-or.ts';
import { readCapsule } from '../../registry/capsule-store.ts';
import { ownCapsuleRoots } from '../wiring/registry/capsule-roots.ts';

/**
 * The files that a question about a changed capsule shows. If they changed since, the question is withdrawn: an approval
 * would be of files that are gone, in place of a newer one.
 *
 * @throws AppError `APPROVAL_CLOSED`.
 */
export function approvedFiles(
  approval: Approval,
  { journal, desk }: Pick<Stores, 'journal' | 'desk'>,
  places: Places,
): readonly AgreedFile[] {
  const capsule = changedCapsule(approval, journal);
  const roots = ownCapsuleRoots(places);
  const files = tryOr(() => {
    if (!capsule) return undefined;
    const origin = dirname(capsule.dir) === roots.shipped ? 'shipped' : 'personal';
    const present = readCapsule(capsule.dir, origin, roots);
    return agreedHashOf(present) === approval.capsuleHash ? agreedFilesOf(present) : undefined;
  }, undefined);
  if (files) return files;
  desk.withdraw(approval);
  const what =
    'the files changed since, so there is nothing to approve. When its run is resumed, it asks about them as they are';
  throw new AppError('APPROVAL_CLOSED', { id: approval.id, what });
}
