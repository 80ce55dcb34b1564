import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  fchmodSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../temporary-folder.ts';
import { findProtected, type ProtectedPath, type ProtectedSearch } from './find-protected.ts';

/** What a process made although it must not be there. */
export interface TakenAway {
  /** Absolute, as they were called. */
  readonly paths: readonly string[];
  /** Where they are now; of what lay on another file system, long and special files are gone. */
  readonly folder: string;
  /** What could not be taken away, or not be looked for, in words. */
  readonly problems: readonly string[];
}

/**
 * Takes protected paths out of the workspace that were not there before a process ran in it: nothing can be mounted over
 * a path that does not exist, unless files are left on the host. Linux only.
 *
 * @param before What {@link findProtected} found before the process was started.
 */
export async function takeAwayNew(
  before: readonly ProtectedPath[],
  { workspace, isProtected }: Pick<ProtectedSearch, 'workspace' | 'isProtected'>,
): Promise<TakenAway | undefined> {
  const problems: string[] = [];
  const onProblem = (problem: string) => problems.push(problem);
  const found = await findProtected({ workspace, isProtected, access: 'write', onProblem });
  const known = new Set(before.map(nameOf));
  const added = found.filter((one) => !passing.has(one.how) && !known.has(nameOf(one)));
  const outermost = outermostOf(added.map(({ path }) => path)).filter((path) => {
    const isClosed = !isProtected(path, 'write');
    if (isClosed) problems.push(`"${path}" can't be looked through`);
    return !isClosed;
  });
  if (outermost.length === 0 && problems.length === 0) return undefined;
  const folder = makeTemporaryFolder('taken');
  const paths = outermost.filter((path, at) => {
    const isTaken = take(path, join(folder, `${at + 1}-${basename(path)}`));
    if (!isTaken) problems.push(`"${path}" could not be taken out`);
    return isTaken;
  });
  if (paths.length === 0) rmdirSync(folder);
  return { paths, folder, problems };
}

/** What lies in none of the others. */
function outermostOf(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    let above = dirname(path);
    while (above !== dirname(above) && !all.has(above)) above = dirname(above);
    return !all.has(above);
  });
}

/** What may be there afterwards, although it was not before. */
const passing: ReadonlySet<ProtectedPath['how']> = new Set(['held', 'channel']);

/** A link that leads elsewhere is another one. */
const nameOf = ({ path, target }: ProtectedPath): string =>
  target === undefined ? path : `${path}\0${target}`;

/** The folder is opened and looked at first: a link put in its place leads nowhere. */
function take(path: string, to: string): boolean {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd: number | undefined;
  try {
    fd = openSync(dirname(path), flags);
    if (readlinkSync(`/proc/self/fd/${fd}`) !== dirname(path)) return false;
    const from = `/proc/self/fd/${fd}/${basename(path)}`;
    try {
      move(from, to);
    } catch {
      open(fd, from);
      move(from, to);
    }
    return true;
  } catch {
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Its modes may have been set so that nobody can move it. */
function open(folder: number, path: string): void {
  fchmodSync(folder, 0o700);
  if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isKept });
    rmSync(from, { recursive: true, force: true });
  }
}

/** Longest file that is copied to another file system, in bytes. */
const MAX_COPIED_BYTES = 16 * 1024 * 1024;

function isKept(path: string): boolean {
  const facts = lstatSync(path);
  if (facts.isFile()) return facts.size <= MAX_COPIED_BYTES;
  return facts.isDirectory() || facts.isSymbolicLink();
}
