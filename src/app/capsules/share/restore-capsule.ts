import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../app-context.ts';
import { findCapsule } from '../find-capsule.ts';
import { type CapsuleOptions, type LoadedCapsules, loadCapsules } from '../load-capsules.ts';
import { newestArchived } from './archive-folder.ts';

export type RestoredCapsule =
  | { readonly id: string; readonly from: 'archive'; readonly dir: string }
  | { readonly id: string; readonly from: 'quarantine' }
  /** It was neither archived nor quarantined. */
  | { readonly id: string; readonly from: null };

/** `capsules.restore`: see there. */
export async function restoreCapsule(
  context: AppContext,
  id: string,
  options: CapsuleOptions = {},
): Promise<RestoredCapsule> {
  const loaded = await loadCapsules(context, options);
  const exists =
    loaded.capsules.some((one) => one.id === id) ||
    existsSync(join(loaded.personal, id, 'manifest.json'));
  const kept = exists ? undefined : newestArchived(loaded.archive, id);
  return kept === undefined
    ? fromQuarantine(loaded, findCapsule(loaded, id))
    : fromArchive(loaded, id, kept);
}

async function fromQuarantine(
  { context, actor }: LoadedCapsules,
  capsule: Capsule,
): Promise<RestoredCapsule> {
  const { journal, quarantine } = await context.stores();
  let wasHeld = false;
  journal.commit(() => {
    wasHeld = quarantine.lift(capsule, { because: 'a person took it back', actor });
  });
  return { id: capsule.id, from: wasHeld ? 'quarantine' : null };
}

/** Restores it with its memory and logs. If its files were changed meanwhile, the next run asks about it. */
async function fromArchive(
  { context, personal, actor }: LoadedCapsules,
  id: string,
  kept: string,
): Promise<RestoredCapsule> {
  const dir = join(personal, id);
  if (existsSync(dir)) {
    const problem = `${dir} exists already and holds records of another capsule. Move it away first.`;
    throw new AppError('USAGE', { problem });
  }
  const { journal, audit } = await context.stores();
  makeFolder(personal);
  renameSync(kept, dir);
  journal.commit(() => {
    const detail = { dir, from: kept };
    audit.append({ actor, action: 'capsule.restored', runId: null, ref: id, detail });
  });
  return { id, from: 'archive', dir };
}
