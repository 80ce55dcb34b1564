import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';
import { caseFolders, ownCaseFolder } from './open-author.ts';

/** Says that a capsule has no case, or none of that name, and which ones there are or where to write one. */
export async function noCase(
  here: CapsulesHere,
  capsule: Capsule,
  name: string | undefined,
): Promise<AppError> {
  const { caseNames } = await import('../../authoring/case-files.ts');
  const there = caseNames(caseFolders(here, capsule));
  const which = name === undefined ? 'case' : `case "${name}"`;
  const example = join(ownCaseFolder(here, capsule), `${name ?? 'first'}.yaml`);
  const fix =
    there.length > 0
      ? `It has: ${there.join(', ')}.`
      : `Write one as ${example} (docs/authors.md).`;
  return new AppError('USAGE', { problem: `"${capsule.id}" has no ${which}. ${fix}` });
}
