import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from './install-folder.ts';

/** The version of this Capstan, as in its `package.json`. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(installFolder(), 'package.json'), 'utf8')) as { version: string })
    .version;
