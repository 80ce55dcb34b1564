import { dirname } from 'node:path';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import type { Capsule } from '../../registry/capsule-store.ts';

/**
 * The SHA-256 of the files of a capsule that a person approves: all of them. Shipped files need no approval, so for
 * a shipped capsule it is the hash of the user's overlay alone.
 */
export const agreedHashOf = ({ origin, overlay, hash }: Capsule): string =>
  origin === 'shipped' ? canonicalHash(overlay ?? null) : hash;

/** Whether a shipped capsule is unchanged: an update of Capstan needs no approval, the user's own overlay does. */
export const isAsShipped = ({ origin, dir, overlay }: Capsule): boolean =>
  origin === 'shipped' && (overlay === undefined || dirname(overlay.path) === dir);
