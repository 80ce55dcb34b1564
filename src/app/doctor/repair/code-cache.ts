import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '../../../config/files/install-folder.ts';
import type { Places } from '../../../config/settings.ts';
import type { RepairPlan } from './repair.ts';

/** Compiled code of other versions of Capstan or Node, which nothing loads any more. */
export function planCodeCache({ cacheDir }: Places): RepairPlan | undefined {
  const { length } = staleFiles(cacheDir);
  if (length === 0) return undefined;
  const files = length === 1 ? '1 file' : `${length} files`;
  return {
    id: 'code_cache',
    steps: [`${join(cacheDir, 'code')}: remove ${files} of other versions`],
  };
}

export function repairCodeCache({ cacheDir }: Places): void {
  for (const file of staleFiles(cacheDir)) rmSync(join(cacheDir, 'code', file), { force: true });
}

/** None if it is not known which bundle is in use. */
function staleFiles(cacheDir: string): readonly string[] {
  try {
    const text = readFileSync(join(installFolder(), 'dist/launcher.json'), 'utf8');
    const { bundle } = JSON.parse(text) as { readonly bundle?: unknown };
    if (typeof bundle !== 'string' || bundle === '') return [];
    const current = `-${process.version}-${process.arch}-${bundle}.v8`;
    return readdirSync(join(cacheDir, 'code')).filter(
      (name) => name.endsWith('.v8') && !name.endsWith(current),
    );
  } catch {
    return [];
  }
}
