import { dirname } from 'node:path';
import { canonicalHash } from '../../platform/canonical-hash.ts';
import type { Capsule } from '../../registry/capsule-store.ts';

/**
 * The SHA-256 by which a person agrees to a capsule: of all its files. What ships with Capstan needs no agreement, so for
 * a shipped capsule it is the hash of the user's overlay alone.
 */
export const agreedHashOf = ({ origin, overlay, hash }: Capsule): string =>
  origin === 'shipped' ? canonicalHash(overlay ?? null) : hash;

/** Whether a capsule is as it ships: an update of Capstan needs no agreement, the user's own overlay does. */
export const isAsShipped = ({ origin, dir, overlay }: Capsule): boolean =>
  origin === 'shipped' && (overlay === undefined || dirname(overlay.path) === dir);
