import { createHash } from 'node:crypto';
import { constants, existsSync, fsync, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../../contract/errors.ts';
import { failPoint } from '../../db/fail-point.ts';
import { shownPath } from '../../platform/files/inside.ts';
import { codeOf } from '../../platform/try-or.ts';
import { type FileCall, failing, failure, throwIfAborted } from '../define/call.ts';
import type { FileState } from '../define/tool.ts';
import { stateAt } from './path-state.ts';
import {
  assertInside,
  assertReachable,
  inFolder,
  locate,
  type Opened,
  openPassage,
  resolveExisting,
} from './paths.ts';
import { temporaryName } from './temporary-file.ts';

export interface Written extends FileState {
  /** False if it replaced a file. */
  readonly created: boolean;
}

/** The output of a call that wrote a file. */
export function writtenOutput({ path, bytes, sha256, created }: Written, { context }: FileCall) {
  const result = { path: shownPath(context.workspace, path), bytes, sha256, created };
  return { result, wrote: [{ path, bytes, sha256 }] };
}

export const syncFolder = promisify(fsync);

interface WriteOptions {
  /**
   * The content that the caller started from, as `stateAt` returns it; undefined for any. Overridden by what the context
   * expects.
   */
  readonly seen?: string | undefined;
  /** Permission bits. Default: those of the replaced file. */
  readonly mode?: number | undefined;
}

/**
 * Writes a file atomically: readers see the old content or the new, even after a power failure. Missing folders are
 * created; the mode of a replaced file is kept.
 *
 * @param content Parts are written one after the other, as they are read.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`, `CANCELLED`.
 */
export async function writeFile(
  path: string,
  content: Buffer | Iterable<Buffer>,
  call: FileCall,
  { seen, mode }: WriteOptions = {},
): Promise<Written> {
  const parts = Buffer.isBuffer(content) ? [content] : content;
  await createParents(dirname(await locateFile(path, call)), call);
  using place = await openPlace(path, call);
  const old = await replaceable(place, call);
  const temporary = inFolder(place.folder, temporaryName());
  try {
    const written = await writeDurably(temporary, parts, old, mode ?? old?.mode);
    throwIfAborted(call);
    const planned = call.context.planned?.(place.path) ?? written.sha256;
    if (written.sha256 !== planned)
      throw new AppError('FILE_CHANGED', { path: place.shown, which: 'new content' });
    failPoint('place');
    await putInPlace(temporary, place, call.context.expected?.(place.path) ?? seen);
    failPoint('placed');
    await syncFolder(place.folder.fd).catch(() => undefined);
    return { path: place.path, ...written, created: old === undefined };
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof AppError) throw error;
    throw failure(call, `"${path}" can't be written: ${writeProblemOf(error)}`, error);
  }
}

const writeProblems: Readonly<Record<string, string>> = {
  EROFS: 'the folder is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'its symbolic links form a circle',
};

/** Why something in the workspace could not be changed, without the paths of the system. */
export const writeProblemOf = (error: unknown): string =>
  writeProblems[codeOf(error) ?? ''] ?? messageOf(error);

/**
 * Creates the missing folders of a path, one by one, each in a folder that was opened and checked, so that swapping in a
 * link has no effect. Links in the existing part are resolved first.
 */
export async function createParents(path: string, call: FileCall): Promise<void> {
  const real = resolveExisting(path);
  assertInside(real, call);
  if (call.context.isProtected(real, 'write')) {
    throw new AppError('PATH_PROTECTED', { path, access: 'write' });
  }
  const missing: string[] = [];
  let at = real;
  for (; !existsSync(at); at = dirname(at)) missing.unshift(basename(at));
  for (const name of missing) {
    using folder = await openPassage(at, call);
    await mkdir(inFolder(folder, name)).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return;
      throw failure(call, `the folder "${path}" can't be created: ${writeProblemOf(error)}`, error);
    });
    at = join(folder.path, name);
  }
}

/** The facts of a file that may be replaced; undefined if there is none. */
export async function replaceable({ at, path }: Place, call: FileCall): Promise<Stats | undefined> {
  const name = basename(path);
  const old = await lstat(at).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw failure(call, `"${name}" can't be examined: ${messageOf(error)}`, error);
  });
  if (old === undefined) return undefined;
  if (old.isSymbolicLink()) {
    throw failure(call, `"${name}" is a symbolic link; write to the file that it points to`);
  }
  if (!old.isFile()) throw failure(call, `"${name}" is not a regular file, so it is not replaced`);
  if (old.nlink > 1) {
    throw failure(
      call,
      `"${name}" has a second name somewhere (a hard link), so it is not replaced`,
    );
  }
  return old;
}

/** @param mode Undefined: the system's default for new files. */
async function writeDurably(
  path: string,
  parts: Iterable<Buffer>,
  old: Stats | undefined,
  mode: number | undefined,
): Promise<Pick<Written, 'bytes' | 'sha256'>> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const first = mode === undefined ? 0o666 : 0o600;
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, first);
  try {
    for (const part of parts) {
      hash.update(part);
      bytes += part.length;
      await file.appendFile(part);
    }
    if (old) await file.chown(old.uid, old.gid).catch(() => undefined);
    if (mode !== undefined) await file.chmod(mode & 0o777);
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

async function putInPlace(temporary: string, place: Place, expected?: string): Promise<void> {
  if (expected === 'absent' && (await linkedAsNew(temporary, place))) return;
  if (expected !== undefined && (await stateAt(place.at)) !== expected) {
    throw new AppError('FILE_CHANGED', { path: place.shown });
  }
  await rename(temporary, place.at);
}

/** A hard link fails if the name is taken, so nothing is replaced. False if the file system has no hard links. */
async function linkedAsNew(temporary: string, { at, shown }: Place): Promise<boolean> {
  try {
    await link(temporary, at);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new AppError('FILE_CHANGED', { path: shown });
    return false;
  }
  failPoint('placed');
  await rm(temporary, { force: true });
  return true;
}

/**
 * Removes a regular file if it still has the content that the caller saw.
 *
 * @param seen As `stateAt` returns it.
 * @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `TOOL_FAILED`.
 */
export async function removeFile(path: string, seen: string, call: FileCall): Promise<void> {
  using place = await openPlace(path, call);
  await removeAt(place, seen, call);
}

/** The same in an open folder. */
export async function removeAt(place: Place, seen: string, call: FileCall): Promise<void> {
  const { folder, at, shown } = place;
  const old = await replaceable(place, call);
  if (old === undefined || (await stateAt(at)) !== seen)
    throw new AppError('FILE_CHANGED', { path: shown });
  failPoint('place');
  await unlink(at).catch(failing(call, `"${shown}" can't be removed`));
  failPoint('placed');
  await syncFolder(folder.fd).catch(() => undefined);
}

/** A name in an open folder that may be written. */
export interface Place extends Disposable {
  readonly folder: Opened;
  /** The path for system calls. */
  readonly at: string;
  /** Absolute. */
  readonly path: string;
  /** As people see it. */
  readonly shown: string;
}

/** @throws AppError `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_MISSING`, `TOOL_FAILED`. */
export async function openPlace(path: string, call: FileCall): Promise<Place> {
  const absolute = await locateFile(path, call);
  const folder = await openPassage(dirname(absolute), call);
  const name = basename(absolute);
  const real = join(folder.path, name);
  try {
    assertReachable(real, 'write', call);
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  return {
    folder,
    at: inFolder(folder, name),
    path: real,
    shown: shownPath(call.context.workspace, real),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The absolute path of a file to write. @throws AppError as `locate`; `TOOL_FAILED` if it is the workspace itself. */
export async function locateFile(path: string, call: FileCall): Promise<string> {
  const absolute = await locate(path, 'write', call);
  if (absolute !== call.context.workspace) return absolute;
  throw failure(call, `"${path}" is the workspace itself`);
}
