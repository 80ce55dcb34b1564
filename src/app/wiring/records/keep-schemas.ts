import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '../../../config/files/install-folder.ts';
import type { Places } from '../../../config/settings.ts';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import { textOfFile } from '../../../platform/try-or.ts';

const names = ['manifest', 'case', 'skill'].map((name) => `${name}.schema.json`);

/**
 * Keeps this version's JSON Schemas in `schemas/` of the data folder, where a capsule's own files name them by a relative
 * path: editors find them wherever Capstan is installed. Where they can't be written, editors do without.
 */
export function keepSchemas({ dataDir }: Pick<Places, 'dataDir'>): void {
  try {
    const folder = join(dataDir, 'schemas');
    makeFolder(folder);
    for (const name of names) {
      const path = join(folder, name);
      const text = readFileSync(join(installFolder(), 'docs', name), 'utf8');
      if (textOfFile(path) !== text) writeFileSync(path, text, { mode: 0o600 });
    }
  } catch {}
}
