import type { AppContext } from './app-context.ts';

/** Looks up the workspace that `last` refers to: the one of the settings in force. */
export const currentWorkspace = (context: AppContext) => async (): Promise<string> =>
  (await context.settings()).settings.workspace;
