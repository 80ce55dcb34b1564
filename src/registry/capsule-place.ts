import type { Capsule } from './capsule-store.ts';

/** The key of a capsule's rows, together with its id. */
export type PlacedCapsule = Pick<Capsule, 'id' | 'origin' | 'dir'>;

/** The folder of a project's capsule, since another project may use the same id. Empty for shipped and personal capsules. */
export const placeOf = ({ origin, dir }: Pick<Capsule, 'origin' | 'dir'>): string =>
  origin === 'project' ? dir : '';
