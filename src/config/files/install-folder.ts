import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where this Capstan is installed or was cloned to: the nearest folder above this file that is a package. */
export function installFolder(): string {
  found ??= findFolder();
  return found;
}

let found: string | undefined;

function findFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder))
    folder = dirname(folder);
  return realpathSync(folder);
}
