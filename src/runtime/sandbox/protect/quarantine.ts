import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';
import { tryOr } from '../../../platform/try-or.ts';
import { inRealFolder } from './in-real-folder.ts';

/** Stands for the temporary folder. */
const TEMPORARY = '';
/** The kept part of a name, since the name with a prefix could be too long. */
const KEPT_CHARS = 50;

/**
 * Moves files away, under names that no program uses. Files are renamed, never copied, so that size and type do not matter and
 * nothing is left incomplete. They go to the temporary folder if it is on the same file system, else to a folder of the
 * workspace, else to a sibling of their location. In the workspace, the folder is called `.capstan-taken-…`, which no tool may
 * read or write.
 */
export function createQuarantine(workspace: string) {
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
    /**
     * Moves a path away atomically.
     *
     * @throws Error of the file system.
     */
    take: (path: string): void =>
      inRealFolder(dirname(path), (folder) => {
        const from = join(folder, basename(path));
        const moveOut = (base: string) => () => move(from, basename(path), base);
        const moves = [TEMPORARY, workspace, dirname(path)].map(moveOut);
        // Its mode may prevent moving it.
        const retry = () => {
          restorePermissions(folder, from);
          tryEach(moves);
        };
        tryEach([...moves, retry]);
      }),
    /** The folders that contain the moved files. */
    folders: (): readonly string[] => [...used.values()],
  };
}

/** Creates the folder with an ignore file for version control, if there is space for it. */
function makeFolder(base: string): string {
  if (base === TEMPORARY) return makeTemporaryFolder('taken');
  const folder = mkdtempSync(join(base, '.capstan-taken-'));
  tryOr(() => writeFileSync(join(folder, '.gitignore'), '*\n'), undefined);
  return folder;
}

function tryEach([first, ...others]: readonly (() => void)[]): void {
  try {
    first?.();
  } catch (error) {
    if (others.length === 0) throw error;
    tryEach(others);
  }
}

function restorePermissions(folder: string, path: string): void {
  chmodSync(folder, 0o700);
  if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}
