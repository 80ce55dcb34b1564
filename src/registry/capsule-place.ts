import type { Capsule } from './capsule-store.ts';

/** What a capsule's rows are kept under, beside its id. */
export type PlacedCapsule = Pick<Capsule, 'id' | 'origin' | 'dir'>;

/** Empty for shipped and personal capsules, whose ids are unique; the folder of a project's, since another may use its id. */
export const placeOf = ({ origin, dir }: Pick<Capsule, 'origin' | 'dir'>): string =>
  origin === 'project' ? dir : '';
