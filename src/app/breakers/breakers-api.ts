import type { AppContext } from '../app-context.ts';

/** `capstan.breakers`: providers that are paused after failures. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface BreakersApi {}

export const breakersApi = (_context: AppContext): BreakersApi => ({});
