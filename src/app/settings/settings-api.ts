import type { AppContext } from '../app-context.ts';

/** `capstan.settings`: settings in force, project trust, and set-up files. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface SettingsApi {}

export const settingsApi = (_context: AppContext): SettingsApi => ({});
