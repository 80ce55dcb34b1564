import { join } from 'node:path';
import { readCapsule } from '../../registry/capsule-store.ts';
import { rewriteEntrypoint } from '../../registry/manifest/entrypoint-shim.ts';
import type { AppContext } from '../app-context.ts';
import { recordAgreement, storesIfAny } from './capsule-records.ts';
import { ownIds } from './find-capsule.ts';
import { type CapsuleOptions, type LoadedCapsules, loadCapsules } from './load-capsules.ts';

export interface RewrittenEntrypoint {
  readonly id: string;
  /** `current`: it was up to date. `own`: the capsule has its own entrypoint, which was left unchanged. */
  readonly outcome: 'rewritten' | 'current' | 'own';
}

/**
 * Updates the shims of the user's own capsules to the current form. A capsule that the user had agreed to stays agreed
 * to, since only the shim changes.
 */
export async function rewriteEntrypoints(
  context: AppContext,
  options: CapsuleOptions,
): Promise<readonly RewrittenEntrypoint[]> {
  const loaded = await loadCapsules(context, options);
  const results: RewrittenEntrypoint[] = [];
  const changes: Change[] = [];
  for (const id of ownIds(loaded.personal)) {
    const dir = join(loaded.personal, id);
    const before = hashOf(dir);
    const outcome = rewriteEntrypoint(dir);
    results.push({ id, outcome });
    const after = outcome === 'rewritten' ? hashOf(dir) : undefined;
    if (before !== undefined && after !== undefined) changes.push({ id, dir, before, after });
  }
  await keepAgreements(loaded, changes);
  return results;
}

/** Undefined if the capsule is broken. */
function hashOf(dir: string): string | undefined {
  try {
    return readCapsule(dir, 'personal').hash;
  } catch {
    return undefined;
  }
}

interface Change {
  readonly id: string;
  readonly dir: string;
  /** Hashes of the capsule. */
  readonly before: string;
  readonly after: string;
}

async function keepAgreements(
  { context, actor }: LoadedCapsules,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const stores = await storesIfAny(context);
  stores?.journal.commit(() => {
    for (const { id: capsuleId, dir, before, after: hash } of changes) {
      if (stores.agreed.hashOf(capsuleId, dir) !== before) continue;
      const agreement = { capsuleId, dir, hash, by: actor };
      recordAgreement(stores, agreement, { before, because: 'rewrite-entrypoints' });
    }
  });
}
