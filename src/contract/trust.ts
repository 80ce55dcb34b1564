/** The trust level of a capsule in one tier. */
export type Trust = 'supervised' | 'sampling' | 'autonomous';
