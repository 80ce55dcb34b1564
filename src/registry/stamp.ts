import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What changes in these folders by itself while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/**
 * Tells whether anything in some folders may have changed: names, sizes and times of all files below, as one text. A
 * folder that is missing counts as empty.
 */
export function stampOf(dirs: readonly string[]): string {
  return dirs.map((dir) => stampOfFolder(dir)).join('\n');
}

function stampOfFolder(dir: string): string {
  return entriesOf(dir)
    .filter(({ name }) => !passedOver.has(name))
    .map((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return stampOfFolder(path);
      const {
        size = 0,
        mtimeMs = 0,
        ctimeMs = 0,
      } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return `${path} ${size} ${mtimeMs} ${ctimeMs}`;
    })
    .join('\n');
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
