import type { AppContext } from '../app-context.ts';

/** `capstan.trust`: how far each capsule is trusted. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface TrustApi {}

export const trustApi = (_context: AppContext): TrustApi => ({});
