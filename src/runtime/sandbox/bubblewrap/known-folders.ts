import { lstatSync } from 'node:fs';
import { tryOr } from '../../../platform/try-or.ts';

/** Caches the findings for folders, as long as the folders do not change. */
export interface KnownFolders<Inside> {
  /** The cached findings for a folder, else those of `look`. Only complete findings without problems are cached. */
  at(folder: string, look: () => Promise<Inside>): Promise<Inside>;
}

/**
 * A folder's `ctime` changes with every name in it, and can't be set back. Some file systems count in steps of two seconds:
 * a folder that changed less than this ago may change again unnoticed, in milliseconds.
 */
const SETTLED_MS = 5_000;
/** Maximum number of cached folders. */
const MAX_FOLDERS = 100_000;

/** In memory only. Needed because the workspace is searched for every command. */
export function createKnownFolders<
  Inside extends { readonly isCut: boolean; readonly problems: readonly string[] },
>(): KnownFolders<Inside> {
  const known = new Map<string, { readonly version: string; readonly inside: Inside }>();
  return {
    async at(folder, look) {
      const { version, changedMs } = versionOf(folder);
      const last = known.get(folder);
      if (last !== undefined && last.version === version) return last.inside;
      const lookedMs = Date.now();
      const inside = await look();
      const isSettled = changedMs < lookedMs - SETTLED_MS;
      const isWhole = !inside.isCut && inside.problems.length === 0;
      if (isSettled && isWhole && known.size < MAX_FOLDERS) known.set(folder, { version, inside });
      else known.delete(folder);
      return inside;
    },
  };
}

function versionOf(folder: string): { readonly version: string; readonly changedMs: number } {
  const stats = tryOr(() => lstatSync(folder, { bigint: true }), undefined);
  if (stats === undefined) return { version: 'none', changedMs: Number.POSITIVE_INFINITY };
  const { dev, ino, ctimeNs, mode } = stats;
  return { version: `${dev}:${ino}:${ctimeNs}:${mode}`, changedMs: Number(ctimeNs / 1_000_000n) };
}
