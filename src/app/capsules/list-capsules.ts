import type { CapsuleFigures } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Quarantined } from '../../registry/quarantine.ts';
import type { AppContext } from '../app-context.ts';
import { storesIfAny } from './capsule-records.ts';
import { type CapsuleOptions, loadCapsules } from './load-capsules.ts';
import { usableCapsules } from './usable-capsules.ts';

export interface ListedCapsule {
  readonly capsule: Capsule;
  /** Undefined if it was never used. */
  readonly figures: CapsuleFigures | undefined;
  /** Durations of its last uses in milliseconds, at most 30, oldest first. */
  readonly lastMs: readonly number[];
  /** Undefined if it is ready. */
  readonly quarantine: Quarantined | undefined;
}

/** The shipped capsules, the user's own, and those of a trusted project, as a run would use them. */
export async function listCapsules(
  context: AppContext,
  options: CapsuleOptions = {},
): Promise<readonly ListedCapsule[]> {
  const capsules = await usableCapsules(await loadCapsules(context, options));
  const stores = await storesIfAny(context);
  return capsules.map((capsule) => ({
    capsule,
    figures: stores?.metrics.of(capsule),
    lastMs: stores?.metrics.lastMs(capsule) ?? [],
    quarantine: stores?.quarantine.find(capsule),
  }));
}
