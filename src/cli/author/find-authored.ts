import { existsSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { type CapsulesHere, findCapsule } from '../commands/capsules-ground.ts';

/**
 * The capsule that its author names: by id, or by its folder, which need not be where capsules are found nor be trusted
 * yet.
 *
 * @throws AppError `CAPSULE_UNKNOWN`, `USAGE`, and what `readLooseCapsule` throws.
 */
export async function findAuthored(here: CapsulesHere): Promise<Capsule> {
  const [named = ''] = here.args.positionals;
  const dir = resolve(here.io.cwd, named);
  const isPath = /[/\\.]/.test(named);
  const isId = here.capsules.some(({ id }) => id === named) || !existsSync(dir);
  if (!isPath && isId) return findCapsule(here);
  if (!existsSync(dir)) throw new AppError('USAGE', { problem: `There is no folder ${dir}.` });
  const real = realpathSync(dir);
  const known = here.capsules.find((one) => realpathSync(one.dir) === real);
  if (known) return known;
  const { readLooseCapsule } = await import('../../registry/capsule-store.ts');
  return readLooseCapsule(real);
}

/** The same capsule as it is now; of a shipped one with the person's overlay. */
export async function readAgain(
  { personal, readCapsule }: CapsulesHere,
  { id, dir, origin }: Capsule,
): Promise<Capsule> {
  if (basename(dir) === id) return readCapsule(dir, origin, { shipped: '', personal });
  const { readLooseCapsule } = await import('../../registry/capsule-store.ts');
  return readLooseCapsule(dir);
}
