import type { AppContext } from '../app-context.ts';

/** `capstan.policy`: explain and test decisions, and apply rules to past intents. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface PolicyApi {}

export const policyApi = (_context: AppContext): PolicyApi => ({});
