import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import type { AppContext } from '../../app-context.ts';
import { forgetCapsule, storesIfAny } from '../capsule-records.ts';
import { findCapsule, ownFolder } from '../find-capsule.ts';
import { type CapsuleOptions, type LoadedCapsules, loadCapsules } from '../load-capsules.ts';
import { archivedName } from './restore-capsule.ts';

/** `capsules.assertArchivable`: see there. */
export async function assertArchivable(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<void> {
  folderOf(await loadCapsules(context, options), id);
}

/** `capsules.archive`: see there. */
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
