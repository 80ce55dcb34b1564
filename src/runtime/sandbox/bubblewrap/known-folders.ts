import { lstatSync } from 'node:fs';

/** What was found in folders, for as long as these stay as they were. */
export interface KnownFolders<Inside> {
  /** What is known of a folder, else what `look` finds there. Only what is whole and without problems is remembered. */
  at(folder: string, look: () => Promise<Inside>): Promise<Inside>;
}

/**
 * A folder's `ctime` changes with every name in it, and can't be set back. Some file systems count in steps of two seconds:
 * what changed less than this ago may change again without a trace, in milliseconds.
 */
const SETTLED_MS = 5_000;
/** More folders are not remembered. */
const MAX_FOLDERS = 100_000;

/** In memory only: a tree of many files is looked through for every command. */
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
  try {
    const { dev, ino, ctimeNs, mode } = lstatSync(folder, { bigint: true });
    return {
      version: `${dev}:${ino}:${ctimeNs}:${mode}`,
      changedMs: Number(ctimeNs / 1_000_000n),
    };
  } catch {
    return { version: 'none', changedMs: Number.POSITIVE_INFINITY };
  }
}
