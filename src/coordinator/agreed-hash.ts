import { canonicalHash } from '../platform/canonical-hash.ts';
import type { Capsule } from '../registry/capsule-store.ts';

/**
 * The SHA-256 by which a person agrees to a capsule: of all its files. What ships with Capstan needs no agreement, so for
 * a shipped capsule it is the hash of the user's overlay alone.
 */
export const agreedHashOf = ({ origin, overlay, hash }: Capsule): string =>
  origin === 'shipped' ? canonicalHash(overlay ?? null) : hash;
