import { statSync } from 'node:fs';
import { join } from 'node:path';
import { folderEntries } from '../platform/files/folder-entries.ts';
import { tryOr } from '../platform/try-or.ts';

/** Files that change while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/** Resolution of a file system's clock, in milliseconds: a second change within it leaves the same time. */
const TICK_MS = 100;

/** The state of a walk through some folders. */
interface Walk {
  /** Every folder and file found, with its size and times. */
  readonly seen: Map<string, FileRow>;
  readonly lines: string[];
  /** The latest change, in milliseconds since the epoch. */
  newestMs: number;
  isPassedOver(name: string): boolean;
}

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
  let seen: ReadonlyMap<string, FileRow> | undefined;
  let stamp = '';
  return () => {
    if (seen && areAsBefore(seen)) return stamp;
    const beganMs = Date.now();
    const walk: Walk = { seen: new Map(), lines: [], newestMs: 0, isPassedOver };
    for (const dir of dirs) walkFolder(dir, walk);
    seen = walk.newestMs < beganMs - TICK_MS ? walk.seen : undefined;
    stamp = walk.lines.join('\n');
    return stamp;
  };
}

function areAsBefore(seen: ReadonlyMap<string, FileRow>): boolean {
  for (const [path, before] of seen) {
    const { size, mtimeMs, ctimeMs } = rowOf(path);
    if (size !== before.size || mtimeMs !== before.mtimeMs || ctimeMs !== before.ctimeMs)
      return false;
  }
  return true;
}

function walkFolder(dir: string, walk: Walk): void {
  note(dir, walk);
  for (const entry of folderEntries(dir)) {
    if (passedOver.has(entry.name) || walk.isPassedOver(entry.name)) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) walkFolder(path, walk);
    else walk.lines.push(`${path} ${note(path, walk)}`);
  }
}

function note(path: string, walk: Walk): string {
  const row = rowOf(path);
  const { size, mtimeMs, ctimeMs } = row;
  walk.seen.set(path, row);
  walk.newestMs = Math.max(walk.newestMs, mtimeMs, ctimeMs);
  return row === MISSING ? 'missing' : `${size} ${mtimeMs} ${ctimeMs}`;
}

/** Changes with the file or folder; times in milliseconds since the epoch. */
interface FileRow {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const MISSING: FileRow = { size: -1, mtimeMs: 0, ctimeMs: 0 };

const rowOf = (path: string): FileRow =>
  tryOr(() => statSync(path, { throwIfNoEntry: false }) ?? MISSING, MISSING);
