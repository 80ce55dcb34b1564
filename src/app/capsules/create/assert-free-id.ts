import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { isReservedId } from '../../../registry/create/capsule-id.ts';
import { Manifest } from '../../../registry/manifest/manifest.ts';
import type { LoadedCapsules } from '../load-capsules.ts';

/**
 * Checks that a new capsule can have this id.
 *
 * @throws AppError `USAGE` with field `id` if the id is invalid, or belongs to a capsule or to another folder.
 */
export function assertFreeId(
  { capsules, personal }: Pick<LoadedCapsules, 'capsules' | 'personal'>,
  id: string,
): void {
  const fail = (problem: string) => new AppError('USAGE', { problem, field: 'id' });
  const parsed = Manifest.shape.id.safeParse(id);
  if (!parsed.success || isReservedId(id))
    throw fail(`"${printable(id)}" can't be the id of a capsule.`);
  const holder = capsules.find((one) => one.id === id);
  if (holder) throw fail(`The id "${id}" belongs to a ${holder.origin} capsule.`);
  if (existsSync(join(personal, id))) throw fail(`${join(personal, id)} exists already.`);
}
