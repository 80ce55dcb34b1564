import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Whether an existing path, its symbolic links resolved, lies under a folder. */
export function isInside(dir: string, path: string): boolean {
  return realpathSync(path).startsWith(realpathSync(dir) + sep);
}
