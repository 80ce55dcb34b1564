import { type Dirent, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, tryOr } from '../../../platform/try-or.ts';
import { createYielder, type Yielder } from '../create-yielder.ts';
import type { ProtectedPath } from './protected-path.ts';

/** The maximum number of protected paths in a workspace. */
export const MAX_COVERED = 1_000;
/** The maximum number of files that may be Git's configuration, and of paths kept for one folder. */
export const MAX_CONFIGS = 100_000;
const MAX_WAITING = 1_000_000;
/** Directory entries per system call. */
const BATCH = 256;

export interface FolderSearch {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** The access of the process to the workspace. */
  readonly access: 'read' | 'write';
  /** Whether a tool may not access a path (absolute). */
  isProtected(path: string, access: 'read' | 'write'): boolean;
  /** Whether a file (absolute) may be Git's configuration. Default: never. */
  readonly isGitConfig?: ((path: string) => boolean) | undefined;
}

/** The relevant entries of one folder. */
export interface Inside {
  /** Absolute. */
  readonly folder: string;
  readonly found: readonly ProtectedPath[];
  /** Subfolders to search. */
  readonly folders: readonly string[];
  /** Entries that can't be checked, as sentences. */
  readonly problems: readonly string[];
  /** Whether it has more entries than the limit; its subfolders are not searched then. */
  readonly isCut: boolean;
}

/**
 * All folders of a tree, outer ones first, without a time limit. Yields to the event loop regularly.
 *
 * @param from The start. Default: the workspace.
 */
export async function* searchFolders(
  search: FolderSearch,
  from = search.workspace,
): AsyncGenerator<Inside> {
  const yielder = createYielder();
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const inside = await searchUnlessKnown(folder, search, yielder);
    const isCut = inside.isCut || waiting.length + inside.folders.length > MAX_WAITING;
    if (!isCut) for (const path of inside.folders) waiting.push(path);
    yield { ...inside, isCut };
    if (yielder.isDue()) await yielder.take();
  }
}

export const cutProblem = ({ folder }: Inside): string =>
  `"${shown(folder)}" contains more folders or protected files than can be checked`;

interface Known {
  /** Changes with every entry of the folder. */
  readonly version: string;
  readonly inside: Inside;
}

/** By access and path. Needed because the workspace is searched for every command. */
const known = new WeakMap<FolderSearch['isProtected'], Map<string, Known>>();

/**
 * A folder's `ctime` changes with every name in it, and can't be set back. Some file systems count in steps of two seconds:
 * a folder that changed less than this ago may change again unnoticed, in milliseconds.
 */
const SETTLED_MS = 5_000;
const MAX_KNOWN = 100_000;

/** Remembers complete findings without problems as long as the folder does not change. */
async function searchUnlessKnown(
  folder: string,
  search: FolderSearch,
  yielder: Yielder,
): Promise<Inside> {
  const folders = known.get(search.isProtected) ?? new Map<string, Known>();
  known.set(search.isProtected, folders);
  const key = `${search.access} ${folder}`;
  const stats = tryOr(() => lstatSync(folder, { bigint: true }), undefined);
  const version = stats && `${stats.dev}:${stats.ino}:${stats.ctimeNs}:${stats.mode}`;
  const last = folders.get(key);
  if (last !== undefined && last.version === version) return last.inside;
  const isSettled = stats !== undefined && Number(stats.ctimeMs) < Date.now() - SETTLED_MS;
  const inside = await searchFolder(folder, search, yielder);
  folders.delete(key);
  const isWhole = !inside.isCut && inside.problems.length === 0;
  if (version && isSettled && isWhole && folders.size < MAX_KNOWN)
    folders.set(key, { version, inside });
  return inside;
}

async function searchFolder(
  folder: string,
  search: FolderSearch,
  yielder: Yielder,
): Promise<Inside> {
  const found: ProtectedPath[] = [];
  const folders: string[] = [];
  const problems: string[] = [];
  let channels = 0;
  const isFull = () =>
    found.length > MAX_CONFIGS || folders.length > MAX_WAITING || problems.length > MAX_COVERED;
  const add = (entry: Dirent): void => {
    const path = join(folder, entry.name);
    const one = protectionOf(path, entry, search);
    const isEntered = entry.isDirectory() && one?.how !== 'hidden folder';
    // More channels than can be covered are an error, but must not end the search for other paths.
    const isSpare = one?.how === 'channel' && ++channels > MAX_COVERED + 1;
    if (one !== undefined && !isSpare) found.push(one);
    if (isEntered) folders.push(path);
    // A name that is not UTF-8 is decoded as another name, so nothing can be mounted there.
    if ((isEntered || one !== undefined) && path.includes('\uFFFD')) problems.push(noUtf8(path));
  };
  try {
    const listing = opendirSync(folder, { bufferSize: BATCH });
    try {
      for (let entry = listing.readSync(); entry && !isFull(); entry = listing.readSync()) {
        add(entry);
        if (yielder.isDue()) await yielder.take();
      }
    } finally {
      listing.closeSync();
    }
  } catch (error) {
    const code = folder === search.workspace ? undefined : codeOf(error);
    if (closed.has(code)) found.push({ path: folder, how: 'hidden folder' });
    else if (!gone.has(code)) problems.push(cantLook(folder, error));
  }
  return { folder, found, folders, problems, isCut: isFull() };
}

const closed: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM']);
const gone: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

const shown = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path);

const cantLook = (folder: string, error: unknown): string =>
  `"${shown(folder)}" can't be searched for protected files (${codeOf(error)})`;

const noUtf8 = (path: string): string =>
  `the name of "${shown(path)}" is not UTF-8, so its content can't be protected; rename it`;

/** A file with such a name points to a repository; of a folder, only the name and location are protected. */
const repositories: ReadonlySet<string> = new Set(['.git', 'repo']);

function protectionOf(
  path: string,
  entry: Dirent,
  search: FolderSearch,
): ProtectedPath | undefined {
  if (entry.isSocket() || entry.isFIFO()) return { path, how: 'channel' };
  const isClosed = search.access === 'write' && search.isProtected(path, 'write');
  if (entry.isSymbolicLink())
    return isClosed
      ? { path, how: 'link', target: tryOr(() => readlinkSync(path), '') }
      : undefined;
  const how = howOf(path, entry, { ...search, isClosed });
  return how && { path, how, ...idOf(path) };
}

function howOf(
  path: string,
  entry: Dirent,
  { isProtected, isGitConfig, isClosed }: FolderSearch & { readonly isClosed: boolean },
): ProtectedPath['how'] | undefined {
  const isFolder = entry.isDirectory();
  if (isProtected(path, 'read')) return isFolder ? 'hidden folder' : 'hidden file';
  if (!isFolder && isGitConfig?.(path)) return 'git config';
  if (!isClosed) return undefined;
  return isFolder && repositories.has(entry.name) ? 'held' : 'read-only';
}

/** The inode number of a deleted file may be reused, so the birth time is included. */
function idOf(path: string): { readonly id?: string } {
  const stats = tryOr(() => lstatSync(path), undefined);
  return stats ? { id: `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` } : {};
}
