import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';

/** Stands for the temporary folder. */
const TEMPORARY = '';

/** Takes files away under names that mean nothing to any program. */
export interface Quarantine {
  /** Moves a path away, whole or not at all. Says why it can't be, in words; undefined where it was. */
  take(path: string): string | undefined;
  /** What it made itself. */
  isOwn(path: string): boolean;
  /** Where things are now. */
  folders(): readonly string[];
}

/**
 * Things are renamed, never copied: no file is too long or too special, and nothing is left half done. So they go to the
 * temporary folder where that is on their file system, else to a folder of the workspace, else beside where they were. In
 * the workspace, it is called `.capstan-taken-…`, which no tool may read or write.
 */
export function createQuarantine(workspace: string): Quarantine {
  const byBase = new Map<string, string>();
  const used = new Set<string>();
  let count = 0;
  const folderIn = (base: string): string => {
    const folder =
      byBase.get(base) ??
      (base === TEMPORARY ? makeTemporaryFolder('taken') : unseenFolderIn(base));
    byBase.set(base, folder);
    return folder;
  };
  const moveInto = (base: string, from: string, name: string): void => {
    const folder = folderIn(base);
    try {
      renameSync(from, join(folder, `${count + 1}-${name.slice(0, KEPT_CHARS)}`));
      count += 1;
      used.add(folder);
    } catch (error) {
      if (!used.has(folder)) {
        byBase.delete(base);
        rmSync(folder, { recursive: true, force: true });
      }
      throw error;
    }
  };
  return {
    take: (path) => take(path, moveInto, [TEMPORARY, workspace, dirname(path)]),
    isOwn: (path) => [...byBase.values()].includes(path),
    folders: () => [...used],
  };
}

/** Version control passes over it, where there is still room to say so. */
function unseenFolderIn(base: string): string {
  const folder = mkdtempSync(join(base, '.capstan-taken-'));
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch {
    // What matters is that things are taken away.
  }
  return folder;
}

/** Of a name: one in front of which something is put could be too long. */
const KEPT_CHARS = 50;

type Move = (base: string, from: string, name: string) => void;

/** The folder is opened and looked at first: a link put in its place leads nowhere. */
function take(path: string, move: Move, bases: readonly string[]): string | undefined {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd: number | undefined;
  try {
    fd = openSync(dirname(path), flags);
    if (readlinkSync(`/proc/self/fd/${fd}`) !== dirname(path)) return 'its folder was exchanged';
    return tryEach(fd, basename(path), { move, bases });
  } catch (error) {
    return codeOf(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Modes may have been set so that nobody can move it. */
function tryEach(
  fd: number,
  name: string,
  { move, bases }: { readonly move: Move; readonly bases: readonly string[] },
): string | undefined {
  const from = `/proc/self/fd/${fd}/${name}`;
  let problem = '';
  for (const prepare of [() => {}, () => openUp(fd, from)]) {
    for (const base of bases) {
      try {
        prepare();
        move(base, from, name);
        return undefined;
      } catch (error) {
        problem = codeOf(error);
      }
    }
  }
  return problem;
}

function openUp(folder: number, path: string): void {
  fchmodSync(folder, 0o700);
  if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
