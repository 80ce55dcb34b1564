import * as z from 'zod';

/** An ability that a step requires. `write` includes changing, renaming and moving files. */
export const Need = z.enum(['write', 'delete', 'execute', 'web', 'database_write']);
export type Need = z.infer<typeof Need>;
