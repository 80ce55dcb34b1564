/** How far a capsule is trusted in one tier. */
export type Trust = 'supervised' | 'sampling' | 'autonomous';
