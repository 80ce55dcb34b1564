import { join } from 'node:path';
import { agentsFolder } from '../../../config/files/agent-folders.ts';
import { agreedHashOf } from '../../../coordinator/agreed-capsule.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { tryOr } from '../../../platform/try-or.ts';
import { type Capsule, readCapsule } from '../../../registry/capsule-store.ts';
import {
  isOldShim,
  rewriteEntrypoint,
  type ShimOutcome,
} from '../../../registry/manifest/entrypoint-shim.ts';
import type { AppContext } from '../../context/open-context.ts';
import { isAgreed, recordAgreement, storesIfAny } from '../capsule-records.ts';
import { type CapsuleOptions, loadCapsules, ownIds } from '../load-capsules.ts';

/** Updates the shims of the user's own capsules that an earlier version wrote. One that can't be written stays. */
export async function upgradeShims(context: AppContext): Promise<void> {
  const folder = agentsFolder(context.places);
  const dirs = ownIds(folder).map((id) => join(folder, id));
  const old = dirs.filter((dir) => tryOr(() => isOldShim(dir), false));
  if (old.length === 0) return;
  const stores = await storesIfAny(context);
  for (const dir of old) tryOr(() => rewriteShim(stores, dir, { by: 'coordinator' }), 'own');
}

/**
 * Updates the shim of one capsule. If the user had agreed to the capsule, the agreement stays, since only the shim
 * changes.
 *
 * @param isForced Replaces an entrypoint that does more than a shim of ours, too.
 */
function rewriteShim(
  stores: Pick<Stores, 'journal' | 'agreed' | 'audit'> | undefined,
  dir: string,
  { by, isForced = false }: { readonly by: string; readonly isForced?: boolean },
): ShimOutcome {
  const before = capsuleIn(dir);
  const wasAgreed = before && stores && isAgreed(stores, before);
  const outcome = rewriteEntrypoint(dir, !isForced);
  const capsule = outcome === 'rewritten' ? capsuleIn(dir) : undefined;
  if (!stores || !wasAgreed || !capsule) return outcome;
  const detail = { before: agreedHashOf(before), because: 'rewrite-entrypoints' };
  stores.journal.commit(() => recordAgreement(stores, { capsule, by, detail }));
  return outcome;
}

/** Undefined if the capsule is broken. */
const capsuleIn = (dir: string): Capsule | undefined =>
  tryOr(() => readCapsule(dir, 'personal'), undefined);

export interface RewrittenEntrypoint {
  readonly id: string;
  readonly outcome: ShimOutcome;
}

/** Implements `capsules.rewriteEntrypoints`. */
export async function rewriteEntrypoints(
  context: AppContext,
  options: CapsuleOptions = {},
): Promise<readonly RewrittenEntrypoint[]> {
  const { personal, actor: by } = await loadCapsules(context, options);
  const stores = await storesIfAny(context);
  return ownIds(personal).map((id) => ({
    id,
    outcome: rewriteShim(stores, join(personal, id), { by, isForced: true }),
  }));
}
