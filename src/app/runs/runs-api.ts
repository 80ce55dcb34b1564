import type { AppContext } from '../app-context.ts';

/** `capstan.runs`: start, resume, message, cancel, follow, list, get, diff, undo, delete, prune, export, replay and fork runs. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface RunsApi {}

export const runsApi = (_context: AppContext): RunsApi => ({});
