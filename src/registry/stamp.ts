import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What changes in these folders by itself while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/** A file system's clock ticks: what changed so lately may change again without a trace, in milliseconds. */
const TICK_MS = 100;

/** A walk through some folders. */
interface Walk {
  /** Every folder and file that was met, with what its row of the file system said. */
  readonly seen: Map<string, string>;
  readonly lines: string[];
  /** When anything was changed last, in milliseconds since the epoch. */
  newestMs: number;
}

/**
 * Makes a function that tells whether anything in some folders may have changed: names, sizes and times of all files
 * below, as one text. A folder that is missing counts as empty. They are walked again only where a folder or a file
 * that was met has changed: a folder does with every name in it.
 */
export function createStamp(dirs: readonly string[]): () => string {
  let seen: ReadonlyMap<string, string> | undefined;
  let stamp = '';
  return () => {
    if (seen && [...seen].every(([path, row]) => rowOf(path).text === row)) return stamp;
    const beganMs = Date.now();
    const walk: Walk = { seen: new Map(), lines: [], newestMs: 0 };
    for (const dir of dirs) walkFolder(dir, walk);
    seen = walk.newestMs < beganMs - TICK_MS ? walk.seen : undefined;
    stamp = walk.lines.join('\n');
    return stamp;
  };
}

function walkFolder(dir: string, walk: Walk): void {
  note(dir, walk);
  for (const entry of entriesOf(dir)) {
    if (passedOver.has(entry.name)) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) walkFolder(path, walk);
    else walk.lines.push(`${path} ${note(path, walk)}`);
  }
}

function note(path: string, walk: Walk): string {
  const { text, changedMs } = rowOf(path);
  walk.seen.set(path, text);
  walk.newestMs = Math.max(walk.newestMs, changedMs);
  return text;
}

function rowOf(path: string): { readonly text: string; readonly changedMs: number } {
  try {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    return { text: `${size} ${mtimeMs} ${ctimeMs}`, changedMs: Math.max(mtimeMs, ctimeMs) };
  } catch {
    return { text: 'missing', changedMs: 0 };
  }
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
