import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import type { AppContext } from '../../app-context.ts';
import { forgetCapsule, storesIfAny } from '../capsule-records.ts';
import { findCapsule, ownFolder } from '../find-capsule.ts';
import { type CapsuleOptions, type LoadedCapsules, loadCapsules } from '../load-capsules.ts';
import { archivedName } from './archive-folder.ts';

/**
 * Checks that a capsule is the user's own, so that it can be archived. It may be broken.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; `USAGE` if it is not the user's own.
 */
export async function assertArchivable(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<void> {
  folderOf(await loadCapsules(context, options), id);
}

/**
 * Moves one of the user's own capsules, with its memory and logs, into the archive, and deletes its trust and metrics, since another
 * capsule may get its id.
 *
 * @returns The folder that keeps it.
 * @throws AppError `CAPSULE_UNKNOWN`; `USAGE` if it is not the user's own.
 */
export async function archiveCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<{ readonly id: string; readonly kept: string }> {
  const loaded = await loadCapsules(context, options);
  const { archive, actor } = loaded;
  const dir = folderOf(loaded, id);
  const stores = await storesIfAny(context);
  makeFolder(archive);
  const kept = join(archive, archivedName(id, context.now()));
  renameSync(dir, kept);
  stores?.journal.commit(() => {
    forgetCapsule(stores, { id, origin: 'personal', dir }, actor);
    const detail = { dir, kept };
    stores.audit.append({ actor, action: 'capsule.deleted', runId: null, ref: id, detail });
  });
  return { id, kept };
}

function folderOf(loaded: LoadedCapsules, id: string): string {
  const folder = ownFolder(loaded.personal, id);
  if (folder !== undefined) return folder;
  const { origin, dir } = findCapsule(loaded, id);
  const problem = `"${id}" is a ${origin} capsule (${dir}). Only your own can be deleted.`;
  throw new AppError('USAGE', { problem });
}
