import { join } from 'node:path';
import { usage } from '../../contract/usage.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { caseNames } from './case-files.ts';

/** The folders of a capsule's cases: the user's own, in `agents/` of the data folder, before those that came with it. */
export function caseFolders(personal: string, { id, dir }: Capsule): readonly string[] {
  const own = join(personal, id, 'cases');
  const shipped = join(dir, 'cases');
  return own === shipped ? [shipped] : [own, shipped];
}

/** The folder for cases and records that the user writes. Nothing is written where Capstan is installed. */
export const ownCaseFolder = (personal: string, { id, dir, origin }: Capsule): string =>
  origin === 'shipped' ? join(personal, id, 'cases') : join(dir, 'cases');

/** The error if a capsule has no case, or none of this name. It lists the existing cases, or says where to write one. */
export function caseUnknown(personal: string, capsule: Capsule, name: string | undefined) {
  const known = caseNames(caseFolders(personal, capsule));
  const which = name === undefined ? 'case' : `case "${name}"`;
  const example = join(ownCaseFolder(personal, capsule), `${name ?? 'first'}.yaml`);
  const fix =
    known.length > 0
      ? `It has: ${known.join(', ')}.`
      : `Write one as ${example} (docs/capsules.md).`;
  return usage(`"${capsule.id}" has no ${which}. ${fix}`);
}
