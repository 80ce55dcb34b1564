import { statSync } from 'node:fs';
import { join } from 'node:path';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { tryOr } from '../../platform/try-or.ts';

/** Files that change while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/**
 * A text that changes when anything in some folders may have changed: the names, sizes and times of all files. A missing
 * folder counts as empty.
 *
 * @param isPassedOver Names to ignore, besides memory and logs. Default: none.
 */
export function stampOf(
  dirs: readonly string[],
  isPassedOver: (name: string) => boolean = () => false,
): string {
  const rowsIn = (dir: string): string[] =>
    folderEntries(dir)
      .filter(({ name }) => !passedOver.has(name) && !isPassedOver(name))
      .flatMap((entry) => {
        const path = join(dir, entry.name);
        return entry.isDirectory() ? rowsIn(path) : `${path} ${rowOf(path)}`;
      });
  return dirs.flatMap(rowsIn).join('\n');
}

/** What changes with a file. */
function rowOf(path: string): string {
  const stats = tryOr(() => statSync(path), undefined);
  return stats ? `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}` : 'missing';
}
