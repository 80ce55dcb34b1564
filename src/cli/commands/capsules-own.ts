import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CapsulesHere } from './capsules-ground.ts';

/** The folders of the person's own capsules, whatever is wrong with them; one without a manifest only holds records. */
export function ownIds(personal: string): string[] {
  if (!existsSync(personal)) return [];
  return readdirSync(personal, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(personal, entry.name, MANIFEST)))
    .map(({ name }) => name)
    .filter((name) => name !== 'skills' && !name.startsWith('.'))
    .sort();
}

const MANIFEST = 'manifest.json';

/** The folder of one of the person's own capsules; undefined where there is none. */
export function ownFolder({ personal }: CapsulesHere, id: string): string | undefined {
  const isThere = ownIds(personal).includes(id) && lstatSync(join(personal, id)).isDirectory();
  return isThere ? join(personal, id) : undefined;
}
