import type { AppContext } from '../app-context.ts';

/** `capstan.sessions`: conversations: what their runs were, and continuing one with a further task. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface SessionsApi {}

export const sessionsApi = (_context: AppContext): SessionsApi => ({});
