import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { findProtected, type ProtectedPath } from './find-protected.ts';
import type { ToolWish } from './sandbox.ts';

/** What a process made although it must not be there. */
export interface TakenAway {
  /** Absolute, as they were called. */
  readonly paths: readonly string[];
  /** Where they are now; what lay on another file system is gone. */
  readonly folder: string;
}

type Search = Pick<ToolWish, 'workspace' | 'isProtected'>;

/**
 * Takes protected paths out of the workspace that were not there before a process ran in it: nothing can be mounted over
 * a path that does not exist, unless files are left on the host. Linux only.
 *
 * @param before What {@link findProtected} found before the process was started.
 * @throws Error where the workspace can't be looked through any more.
 */
export function takeAwayNew(
  before: readonly ProtectedPath[],
  search: Search,
): TakenAway | undefined {
  const known = new Set(before.map(({ path }) => path));
  const found = findProtected({ ...search, access: 'write' });
  const added = found.filter(({ path, how }) => how !== 'held' && !known.has(path));
  const outermost = added.filter(
    ({ path }) => !added.some((other) => path.startsWith(`${other.path}/`)),
  );
  if (outermost.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'capstan-taken-'));
  const paths = outermost
    .map(({ path }) => path)
    .filter((path, at) => take(path, join(folder, `${at + 1}-${basename(path)}`)));
  if (paths.length > 0) return { paths, folder };
  rmdirSync(folder);
  return undefined;
}

/** The folder is opened and looked at first: a link put in its place leads nowhere. */
function take(path: string, to: string): boolean {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd: number | undefined;
  try {
    fd = openSync(dirname(path), flags);
    if (readlinkSync(`/proc/self/fd/${fd}`) !== dirname(path)) return false;
    move(`/proc/self/fd/${fd}/${basename(path)}`, to);
    return true;
  } catch {
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    rmSync(from, { recursive: true, force: true });
  }
}
