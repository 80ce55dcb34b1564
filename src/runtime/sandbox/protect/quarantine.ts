import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../../platform/temporary-folder.ts';
import { inRealFolder } from '../bubblewrap/in-real-folder.ts';

/** Takes files away under names that mean nothing to any program. */
export interface Quarantine {
  /**
   * Moves a path away, whole or not at all.
   *
   * @throws Error of the file system.
   */
  take(path: string): void;
  /** Where things are now. */
  folders(): readonly string[];
}

/** Stands for the temporary folder. */
const TEMPORARY = '';
/** Of a name: one in front of which something is put could be too long. */
const KEPT_CHARS = 50;

/**
 * Things are renamed, never copied: no file is too long or too special, and nothing is left half done. So they go to the
 * temporary folder where that is on their file system, else to a folder of the workspace, else beside where they were. In
 * the workspace, it is called `.capstan-taken-…`, which no tool may read or write.
 */
export function createQuarantine(workspace: string): Quarantine {
  const used = new Map<string, string>();
  let count = 0;
  const move = (from: string, name: string, base: string): void => {
    const folder = used.get(base) ?? makeFolder(base);
    try {
      renameSync(from, join(folder, `${count + 1}-${name.slice(0, KEPT_CHARS)}`));
      count += 1;
      used.set(base, folder);
    } finally {
      if (!used.has(base)) rmSync(folder, { recursive: true, force: true });
    }
  };
  return {
    take: (path) =>
      inRealFolder(dirname(path), (folder) => {
        const from = join(folder, basename(path));
        const moveOut = () =>
          tryEach([TEMPORARY, workspace, dirname(path)], (base) =>
            move(from, basename(path), base),
          );
        // Modes may have been set so that nobody can move it.
        tryEach([() => {}, () => openUp(folder, from)], (prepare) => {
          prepare();
          moveOut();
        });
      }),
    folders: () => [...used.values()],
  };
}

/** Version control passes over it, where there is still room to say so. */
function makeFolder(base: string): string {
  if (base === TEMPORARY) return makeTemporaryFolder('taken');
  const folder = mkdtempSync(join(base, '.capstan-taken-'));
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch {
    // What matters is that things are taken away.
  }
  return folder;
}

/** Goes on to the next one where one fails, and throws the last error if all do. */
function tryEach<T>(all: readonly T[], use: (one: T) => void): void {
  let last: unknown;
  for (const one of all) {
    try {
      use(one);
      return;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function openUp(folder: string, path: string): void {
  chmodSync(folder, 0o700);
  if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}
