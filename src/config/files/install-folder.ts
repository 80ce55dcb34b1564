import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '../../platform/once.ts';

/** The folder of this installation or clone: the nearest folder above this file with a `package.json`. */
export const installFolder = once((): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder))
    folder = dirname(folder);
  return realpathSync(folder);
});

/** The version of this Capstan, as in its `package.json`. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(installFolder(), 'package.json'), 'utf8')) as { version: string })
    .version;
