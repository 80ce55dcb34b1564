import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import type { Access } from '../../contract/permissions/operation.ts';
import { closest } from '../../contract/text/closest.ts';
import { isInside, shownPath } from '../../platform/files/inside.ts';
import { codeOf, tryOr } from '../../platform/try-or.ts';
import { namelessFile } from '../../runtime/sandbox/bubblewrap/nameless-file.ts';
import { type FileCall, failure } from '../define/call.ts';
import { copyAt, shownCopy } from '../git/shown-copy.ts';

/**
 * The absolute path that a path of a call names. Links are not followed: what is opened is checked again.
 *
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `TOOL_FAILED`.
 */
export async function locate(path: string, access: Access, call: FileCall): Promise<string> {
  const absolute = locateInside(path, call);
  assertReachable(absolute, access, call);
  return absolute;
}

function locateInside(path: string, call: FileCall): string {
  if (path.includes('\0')) throw failure(call, 'the path has a NUL character; leave it out');
  const { workspace } = call.context;
  // In a shell, this is the home folder. A folder of that name is `./~`.
  if (/^~(?:\/|$)/.test(path))
    throw new AppError('PATH_OUTSIDE_ROOTS', { path, roots: [workspace] });
  const named = resolve(workspace, path);
  const absolute = isInside(workspace, named) ? named : resolveExisting(named);
  assertInside(absolute, call);
  return absolute;
}

/**
 * Resolves the links in the part of a path that exists, and keeps the rest. Synchronous: waking another thread takes
 * several times as long.
 */
export function resolveExisting(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveExisting(parent), basename(path));
  }
}

/** @throws AppError `PATH_OUTSIDE_ROOTS`. */
export function assertInside(path: string, { context }: FileCall): void {
  if (isInside(context.workspace, path)) return;
  throw new AppError('PATH_OUTSIDE_ROOTS', { path, roots: [context.workspace] });
}

/** @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`. */
export function assertReachable(path: string, access: Access, call: FileCall): void {
  assertInside(path, call);
  const { context } = call;
  const shown = shownPath(context.workspace, path);
  if (context.isProtected(path, access) || (access === 'write' && hidesLines(path, context))) {
    throw new AppError('PATH_PROTECTED', { path: shown, access });
  }
  if (context.isGranted?.(path, access) === false) {
    throw new AppError('PATH_NOT_GRANTED', { path: shown, access });
  }
}

/** Whether the capsule may read the target of a path. */
function isReadable(path: string, call: FileCall): boolean {
  const assert = () => assertReachable(resolveExisting(path), 'read', call);
  return tryOr(() => assert() === undefined, false);
}

/** Git configuration with credentials is also protected: replacing it would lose them, moving it would show them. */
const hidesLines = (path: string, { isGitConfig }: FileCall['context']): boolean =>
  isGitConfig?.(path) === true && copyAt(path) !== undefined;

/** An open file or folder, and its real path. */
export interface Opened extends Disposable {
  readonly fd: number;
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly links: number;
  /** As it was opened. */
  readonly stats: Stats;
}

/** O_NONBLOCK: opening a pipe without a writer must not wait. O_NOCTTY: a terminal must not become ours. */
const SAFE_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a regular file for reading; Git configuration as a copy without credentials.
 *
 * @throws AppError as `openInside`; `TOOL_FAILED` if it is not a regular file.
 */
export async function openFile(path: string, call: FileCall): Promise<Opened> {
  const opened = await openInside(path, 0, call, assertReadable);
  if (opened.stats.isFile()) return withoutCredentials(path, opened, call);
  opened[Symbol.dispose]();
  if (!opened.stats.isDirectory()) throw failure(call, `"${path}" ${NOT_REGULAR}`);
  const cause = Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
  throw failure(call, `"${path}" is a folder; name a file in it`, cause);
}

const NOT_REGULAR = 'is not a regular file (a pipe, a socket or a device)';

/** Checks both the real path of a file and the path of a link to it. */
function withoutCredentials(path: string, opened: Opened, call: FileCall): Opened {
  const { context } = call;
  const names = [opened.path, resolve(context.workspace, path)];
  if (!names.some((name) => context.isGitConfig?.(name))) return opened;
  const copy = shownCopy(opened.fd);
  if (copy === undefined) return opened;
  opened[Symbol.dispose]();
  if (copy === 'unreadable')
    throw failure(
      call,
      `"${path}" can't be examined for credentials: of Git's configuration, files up to 1 MiB can be read`,
    );
  const fd = namelessFile(copy);
  return { ...opened, fd, bytes: copy.length, [Symbol.dispose]: () => closeSync(fd) };
}

/** @throws AppError as `openInside`; `TOOL_FAILED` if it is not a folder. */
export const openFolder = (path: string, call: FileCall): Promise<Opened> =>
  openInside(path, constants.O_DIRECTORY, call, assertReadable);

/** Opens a folder on the way to a file or a command: it must be in the workspace, but need not be readable. */
export const openPassage = (path: string, call: FileCall): Promise<Opened> =>
  openInside(path, constants.O_DIRECTORY, call, assertInside);

const assertReadable = (path: string, call: FileCall): void => assertReachable(path, 'read', call);

/**
 * Opens a path and then checks what was opened, so that swapping in a link has no effect.
 *
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_MISSING`, `TOOL_FAILED`.
 */
async function openInside(
  path: string,
  flags: number,
  call: FileCall,
  assertAllowed: (path: string, call: FileCall) => void,
): Promise<Opened> {
  const absolute = locateInside(path, call);
  assertAllowed(absolute, call);
  const fd = openAs(path, absolute, flags, call);
  try {
    const stats = fstatSync(fd);
    const real = stats.nlink === 0 ? undefined : pathOfOpen(fd, absolute);
    if (real === undefined)
      throw failure(call, `"${path}" was moved while it was opened; try again`);
    assertAllowed(real, call);
    const { size: bytes, mode, nlink: links } = stats;
    return { fd, path: real, bytes, mode, links, stats, [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** @param path As the capsule named it, for errors. */
function openAs(path: string, absolute: string, flags: number, call: FileCall): number {
  try {
    return openSync(absolute, SAFE_FLAGS | flags);
  } catch (error) {
    const code = codeOf(error) ?? '';
    const kind = flags & constants.O_DIRECTORY ? 'folder' : 'file';
    const isBelowFile = code === 'ENOTDIR' && kind === 'file';
    const problem = isBelowFile ? BELOW_FILE : openProblems[code];
    if (code !== 'ENOENT')
      throw failure(call, `"${path}" ${problem ?? `can't be opened: ${messageOf(error)}`}`, error);
    throw fileMissing({ path, absolute, kind }, call, error);
  }
}

const BELOW_FILE = 'does not exist: a part of its path is a file';
const NOT_READABLE = 'may not be read by this user';
const openProblems: Readonly<Record<string, string>> = {
  ENOTDIR: 'is not a folder',
  EACCES: NOT_READABLE,
  EPERM: NOT_READABLE,
  ELOOP: "is a symbolic link that can't be followed here",
  ENXIO: NOT_REGULAR,
  ENAMETOOLONG: 'does not exist: the name is too long',
};

/**
 * The error about a path that does not exist, with a similar one that may be read.
 *
 * @param path As the capsule named it.
 */
export function fileMissing(
  { path, absolute, kind = 'file' }: { path: string; absolute: string; kind?: 'file' | 'folder' },
  call: FileCall,
  cause?: unknown,
): AppError {
  const similar = similarPath(absolute);
  const isShown = similar !== undefined && isReadable(similar, call);
  const meant = isShown && { meant: shownPath(call.context.workspace, similar) };
  return new AppError('FILE_MISSING', { path, kind, ...meant }, { cause });
}

/** The current path of an open file; undefined if it can't be found. */
function pathOfOpen(fd: number, opened: string): string | undefined {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${fd}`);
  const { ino, dev } = fstatSync(fd, { bigint: true });
  const path = realpathSync.native(opened);
  const there = statSync(path, { bigint: true });
  return there.ino === ino && there.dev === dev ? path : undefined;
}

/** A path for a name in an open folder. On Linux it stays in that folder even if the folder is moved. */
export const inFolder = (folder: Opened, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${folder.fd}/${name}` : join(folder.path, name);

/** A folder with more names is not searched. */
const MAX_NAMES = 5_000;

/**
 * An existing path with a name close to a missing one, for "did you mean": the first missing part of the path is replaced
 * by the closest name in its folder. Hidden names are only suggested for hidden names.
 *
 * @param path Absolute.
 */
function similarPath(path: string): string | undefined {
  const missing = firstMissing(path);
  const name = basename(missing);
  const isHidden = (one: string) => one.startsWith('.');
  const names = namesIn(dirname(missing)).filter((one) => isHidden(one) === isHidden(name));
  const meant = closest(name, names);
  if (meant === undefined) return undefined;
  const similar = join(dirname(missing), meant, path.slice(missing.length));
  return existsSync(similar) ? similar : undefined;
}

function firstMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : firstMissing(parent);
}

function namesIn(folder: string): readonly string[] {
  const names = tryOr(() => readdirSync(folder), []);
  return names.length > MAX_NAMES ? [] : names;
}
