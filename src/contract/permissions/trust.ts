/** The trust level of a capsule in one tier. */
export const trustLevels = ['supervised', 'sampling', 'autonomous'] as const;
export type Trust = (typeof trustLevels)[number];
