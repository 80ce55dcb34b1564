import { statSync } from 'node:fs';
import { join } from 'node:path';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { tryOr } from '../../platform/try-or.ts';

/** Files that change while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/** Resolution of a file system's clock, in milliseconds: a second change within it leaves the same time. */
const TICK_MS = 100;

/**
 * Returns a function whose result changes when anything in some folders may have changed: the names, sizes and times of
 * all files, as one text. A missing folder counts as empty. The folders are listed again only if the times of a known
 * folder or file changed; a folder's time changes with every name in it.
 *
 * @param isPassedOver Names to ignore, besides memory and logs. Default: none.
 */
export function createStamp(
  dirs: readonly string[],
  isPassedOver: (name: string) => boolean = () => false,
): () => string {
  let seen: ReadonlyMap<string, string> | undefined;
  let stamp = '';
  return () => {
    if (seen && [...seen].every(([path, before]) => rowOf(path).row === before)) return stamp;
    const beganMs = Date.now();
    const rows = new Map<string, string>();
    const lines: string[] = [];
    let newestMs = 0;
    const note = (path: string): string => {
      const { row, changedMs } = rowOf(path);
      rows.set(path, row);
      newestMs = Math.max(newestMs, changedMs);
      return row;
    };
    const walk = (dir: string): void => {
      note(dir);
      const isSeen = (name: string) => !passedOver.has(name) && !isPassedOver(name);
      for (const entry of folderEntries(dir).filter(({ name }) => isSeen(name))) {
        const path = join(dir, entry.name);
        if (entry.isDirectory()) walk(path);
        else lines.push(`${path} ${note(path)}`);
      }
    };
    dirs.forEach(walk);
    seen = newestMs < beganMs - TICK_MS ? rows : undefined;
    stamp = lines.join('\n');
    return stamp;
  };
}

/** What changes with a file or folder, and when it did, in milliseconds since the epoch. */
function rowOf(path: string): { readonly row: string; readonly changedMs: number } {
  const stats = tryOr(() => statSync(path, { throwIfNoEntry: false }), undefined);
  if (stats === undefined) return { row: 'missing', changedMs: 0 };
  const { size, mtimeMs, ctimeMs } = stats;
  return { row: `${size} ${mtimeMs} ${ctimeMs}`, changedMs: Math.max(mtimeMs, ctimeMs) };
}
