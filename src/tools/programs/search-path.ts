import { delimiter, isAbsolute, normalize } from 'node:path';
import type { ToolContext } from '../define/tool.ts';
import { isInside } from '../files/paths.ts';

const systemFolders = '/usr/local/bin:/usr/bin:/bin';

/** PATH for child processes: absolute folders only, and none in the workspace, where a program could have been planted. */
export function searchPathFor({ searchPath, workspace }: ToolContext): string {
  const folders = (searchPath ?? systemFolders)
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(workspace, normalize(folder)));
  return folders.length > 0 ? folders.join(delimiter) : systemFolders;
}
