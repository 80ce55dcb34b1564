import type { AppContext } from '../app-context.ts';

/** `capstan.capsules`: the capsules there are: create, check, test, save, archive, restore, export, import, quarantine. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface CapsulesApi {}

export const capsulesApi = (_context: AppContext): CapsulesApi => ({});
