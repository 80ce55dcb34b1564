import type { AppContext } from '../app-context.ts';

/** `capstan.costs`: what was spent, by day, model and capsule. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface CostsApi {}

export const costsApi = (_context: AppContext): CostsApi => ({});
