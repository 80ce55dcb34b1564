import type { LoadedSettings } from '../../../config/settings.ts';
import type { Stores } from '../../../coordinator/store/open-stores.ts';
import { readCapsules } from '../../../registry/capsule-store.ts';
import { assertNotQuarantined } from '../../../registry/quarantine.ts';
import { findCapsule } from '../../capsules/find-capsule.ts';
import { capsuleRoots } from '../../capsules/load-capsules.ts';

/**
 * Checks before a run exists that the capsule it names can be used.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; `CAPSULE_QUARANTINED`; `MANIFEST_INVALID` or `OVERLAY_INVALID`.
 */
export function assertCapsule(
  id: string,
  loaded: LoadedSettings,
  { quarantine }: Pick<Stores, 'quarantine'>,
): void {
  const roots = capsuleRoots(loaded);
  const [named] = readCapsules(roots, id).capsules;
  const capsule = named ?? findCapsule({ ...readCapsules(roots), personal: roots.personal }, id);
  assertNotQuarantined(capsule, quarantine);
}
