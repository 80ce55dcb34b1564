import * as z from 'zod';

/** What a step needs its capsule to be able to do. `write` includes changing, renaming and moving files. */
export const Need = z.enum(['write', 'delete', 'execute', 'web', 'database_write']);
export type Need = z.infer<typeof Need>;
