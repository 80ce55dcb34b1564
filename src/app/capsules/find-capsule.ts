import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isFolderTrusted } from '../../config/project/project-files.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { REVIEW_AND_TRUST } from '../../contract/text/trust-notice.ts';
import { usage } from '../../contract/usage.ts';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { type Capsule, readCapsule, readLooseCapsule } from '../../registry/capsule-store.ts';
import { isReservedId } from '../../registry/create/capsule-id.ts';
import { Manifest } from '../../registry/manifest/manifest.ts';
import type { LoadedCapsules } from './load-capsules.ts';

/**
 * The capsule with this id.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; `MANIFEST_INVALID` or `OVERLAY_INVALID` if it is the user's own and broken.
 */
export function findCapsule(
  { capsules, personal, loaded }: Pick<LoadedCapsules, 'capsules' | 'personal' | 'loaded'>,
  id: string,
): Capsule {
  const capsule = capsules.find((one) => one.id === id);
  if (capsule) return capsule;
  const dir = join(personal, id);
  if (/^[\w-]+$/.test(id) && basename(dir) === id && existsSync(join(dir, MANIFEST)))
    return readCapsule(dir, 'personal');
  const isUntrusted = untrustedFolder(loaded, id) !== undefined;
  throw new AppError('CAPSULE_UNKNOWN', { id, known: capsules.map((one) => one.id), isUntrusted });
}

const MANIFEST = 'manifest.json';

/** The folder of the project's capsule with this id, if it is not trusted. */
function untrustedFolder({ project }: LoadedCapsules['loaded'], id: string): string | undefined {
  const path = `agents/${id}`;
  const exists = project.files.some((file) => file.path === `${path}/${MANIFEST}`);
  return exists && !isFolderTrusted(project, path) ? join(project.folder, path) : undefined;
}

/**
 * The capsule with this id, for viewing and trying it: also one of the project that is not trusted.
 *
 * @throws As `findCapsule` and `readLooseCapsule`.
 */
export function findShown(loaded: LoadedCapsules, id: string): Capsule {
  try {
    return findCapsule(loaded, id);
  } catch (error) {
    const dir = failedWith(error, 'CAPSULE_UNKNOWN') && untrustedFolder(loaded.loaded, id);
    if (!dir) throw error;
    loaded.notice(`Files in ${dir} are not trusted, so runs leave it out. ${REVIEW_AND_TRUST}`);
    return readLooseCapsule(realpathSync(dir));
  }
}

/**
 * The capsule that its author names by id or by folder, which may be anywhere. It need not be trusted.
 *
 * @throws AppError `CAPSULE_UNKNOWN`, `USAGE`, and errors of `readLooseCapsule`.
 */
export function findAuthored(loaded: LoadedCapsules, named: string): Capsule {
  const dir = resolve(loaded.context.cwd, named);
  const isPath = /[/\\.]/.test(named);
  const isId = loaded.capsules.some(({ id }) => id === named) || !existsSync(dir);
  if (!isPath && isId) return findShown(loaded, named);
  if (!existsSync(dir))
    throw usage(`There is no folder ${dir}. Name a capsule by its id, or by a folder that exists.`);
  const real = realpathSync(dir);
  return loaded.capsules.find((one) => realpathSync(one.dir) === real) ?? readLooseCapsule(real);
}

/** Reads the same capsule again; a shipped one with the user's overlay. */
export function readAgain({ roots }: LoadedCapsules, { id, dir, origin }: Capsule): Capsule {
  return basename(dir) === id ? readCapsule(dir, origin, roots) : readLooseCapsule(dir);
}

/** The ids of the user's own capsules, valid or not. A folder without a manifest only holds records. */
export function ownIds(personal: string): string[] {
  return folderEntries(personal)
    .filter((entry) => entry.isDirectory() && existsSync(join(personal, entry.name, MANIFEST)))
    .map(({ name }) => name)
    .filter((name) => name !== 'skills' && !name.startsWith('.'))
    .sort();
}

/** The folder of the user's own capsule with this id; undefined if there is none. */
export const ownFolder = (personal: string, id: string): string | undefined =>
  ownIds(personal).includes(id) ? join(personal, id) : undefined;

/**
 * Checks that a new capsule can have this id.
 *
 * @throws AppError `USAGE` with field `id` if the id is invalid, or belongs to a capsule or to another folder.
 */
export function assertFreeId(
  { capsules, personal }: Pick<LoadedCapsules, 'capsules' | 'personal'>,
  id: string,
): void {
  const fail = (problem: string) => usage(problem, 'id');
  const parsed = Manifest.shape.id.safeParse(id);
  if (!parsed.success || isReservedId(id))
    throw fail(`"${printable(id)}" can't be the id of a capsule.`);
  const holder = capsules.find((one) => one.id === id);
  if (holder) throw fail(`The id "${id}" belongs to a ${holder.origin} capsule.`);
  if (existsSync(join(personal, id))) throw fail(`${join(personal, id)} exists already.`);
}
