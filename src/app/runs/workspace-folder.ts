import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** The absolute path of a folder, symbolic links resolved, as the rows of runs have it. The folder may have been deleted. */
export function workspaceFolder(cwd: string, workspace: string): string {
  const path = resolve(cwd, workspace);
  return existsSync(path) ? realpathSync(path) : path;
}
