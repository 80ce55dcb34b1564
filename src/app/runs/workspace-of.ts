import type { AppContext } from '../app-context.ts';

/** The workspace of this process: what `last` refers to. Absolute, symbolic links resolved. */
export async function workspaceOf(context: AppContext): Promise<string> {
  return (await context.settings()).settings.workspace;
}
