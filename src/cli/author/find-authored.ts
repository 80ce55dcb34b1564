import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Capsule } from '../../registry/capsule-store.ts';
import { type CapsulesHere, findCapsule } from '../commands/capsules-ground.ts';

/**
 * The capsule that its author names: by id, or by its folder, which need not be where capsules are found nor be trusted
 * yet.
 *
 * @throws AppError `CAPSULE_UNKNOWN`, `MANIFEST_INVALID`.
 */
export function findAuthored(here: CapsulesHere): Capsule {
  const [named = ''] = here.args.positionals;
  const dir = resolve(here.io.cwd, named);
  const isFolder = /[/\\.]/.test(named) || !here.capsules.some(({ id }) => id === named);
  if (named === '' || !isFolder || !existsSync(join(dir, 'manifest.json')))
    return findCapsule(here);
  const real = realpathSync(dir);
  const known = here.capsules.find((one) => realpathSync(one.dir) === real);
  return known ?? here.readCapsule(real, 'project');
}
