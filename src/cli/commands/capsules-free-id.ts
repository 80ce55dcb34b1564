import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import type { CapsulesHere } from './capsules-ground.ts';

/**
 * Sees that a new capsule can have an id. One that ships, one of the person's own and a folder that is there keep theirs.
 *
 * @param from Who names it, for the error: `--id`.
 * @throws AppError `USAGE`.
 */
export async function assertFreeId(
  { capsules, personal }: Pick<CapsulesHere, 'capsules' | 'personal'>,
  id: string,
  { from, advice }: { readonly from: string; readonly advice: string },
): Promise<void> {
  const { Manifest } = await import('../../registry/manifest/manifest.ts');
  const { isReservedId } = await import('../../registry/create/capsule-id.ts');
  const usage = (problem: string) => new AppError('USAGE', { problem: `${problem} ${advice}` });
  const parsed = Manifest.shape.id.safeParse(id);
  if (!parsed.success || isReservedId(id))
    throw usage(`${from} is "${printable(id)}", which no capsule can have.`);
  const holder = capsules.find((one) => one.id === id);
  if (holder) throw usage(`The id "${id}" belongs to a ${holder.origin} capsule.`);
  if (existsSync(join(personal, id))) throw usage(`${join(personal, id)} is there already.`);
}
