import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the folder that keeps an archived capsule: its id, and when it was archived. */
export const archivedName = (id: string, at: Date): string =>
  `${id}-${at.toISOString().replace(/[:.]/g, '-')}`;

/** The folder of the capsule with this id that was archived last; undefined if there is none. */
export function newestArchived(archive: string, id: string): string | undefined {
  if (!existsSync(archive)) return undefined;
  const newest = readdirSync(archive, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && idOf(entry.name) === id)
    .map(({ name }) => name)
    .sort()
    .at(-1);
  return newest === undefined ? undefined : join(archive, newest);
}

const idOf = (name: string): string | undefined =>
  /^(.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.exec(name)?.[1];
