import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that keeps a deleted capsule: its id and when it was deleted. */
export const archivedName = (id: string, at: Date): string =>
  `${id}-${at.toISOString().replace(/[:.]/g, '-')}`;

/** The folder of the capsule with this id that was deleted last; undefined where there is none. */
export function newestArchived(archive: string, id: string): string | undefined {
  if (!existsSync(archive)) return undefined;
  const [newest] = readdirSync(archive, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && idOf(entry.name) === id)
    .map(({ name }) => name)
    .sort()
    .reverse();
  return newest === undefined ? undefined : join(archive, newest);
}

const idOf = (name: string): string | undefined =>
  /^(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.exec(name)?.[1];
