import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../../platform/try-or.ts';
import { createKnownFolders, type KnownFolders } from '../bubblewrap/known-folders.ts';
import { createYielder, type Yielder } from '../create-yielder.ts';
import type { ProtectedPath } from './protected-path.ts';

/** The maximum number of protected paths in a workspace, and of entries kept for one folder. */
export const MAX_COVERED = 1_000;
/** The maximum number of files that may be Git's configuration. Only those with a credential are hidden. */
export const MAX_CONFIGS = 100_000;
/** The maximum number of queued folders. */
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
  const seen = knownFolders(search);
  const yielder = createYielder();
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const into = folder;
    const inside = await seen.at(into, () => searchFolder(into, search, yielder));
    const isCut = inside.isCut || waiting.length + inside.folders.length > MAX_WAITING;
    if (!isCut) for (const path of inside.folders) waiting.push(path);
    yield { ...inside, isCut };
    if (yielder.isDue()) await yielder.take();
  }
}

export const cutProblem = ({ folder }: Inside): string =>
  `"${shown(folder)}" contains more folders or protected files than can be checked`;

/** Caches by `isProtected` and access. */
const known = new WeakMap<FolderSearch['isProtected'], Map<string, KnownFolders<Inside>>>();

function knownFolders({ access, isProtected }: FolderSearch): KnownFolders<Inside> {
  const byAccess = known.get(isProtected) ?? new Map<string, KnownFolders<Inside>>();
  known.set(isProtected, byAccess);
  const folders = byAccess.get(access) ?? createKnownFolders<Inside>();
  byAccess.set(access, folders);
  return folders;
}

/** The protected entries of one folder, and its subfolders. */
async function searchFolder(
  folder: string,
  search: FolderSearch,
  yielder: Yielder,
): Promise<Inside> {
  const inside = createInside(folder);
  const listing = listingOf(folder, search);
  if (typeof listing === 'string') inside.problems.push(listing);
  if (listing === undefined) inside.found.push({ path: folder, how: 'hidden folder' });
  if (typeof listing !== 'object' || listing === null) return inside;
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      const path = join(folder, entry.name);
      add(inside, path, { isFolder: entry.isDirectory(), one: protectionOf(path, entry, search) });
      if (inside.isCut) break;
      if (yielder.isDue()) await yielder.take();
    }
  } catch (error) {
    inside.problems.push(cantLook(folder, error));
  } finally {
    listing.closeSync();
  }
  return inside;
}

const createInside = (folder: string) => ({
  folder,
  found: [] as ProtectedPath[],
  folders: [] as string[],
  problems: [] as string[],
  isCut: false,
  counts: { channels: 0, configs: 0, others: 0 },
});

function add(
  inside: ReturnType<typeof createInside>,
  path: string,
  { isFolder, one }: { readonly isFolder: boolean; readonly one: ProtectedPath | undefined },
): void {
  const { found, folders, problems, counts } = inside;
  if (one !== undefined) counts[counted[one.how] ?? 'others'] += 1;
  // One channel more than can be hidden is enough to exceed the limit.
  const isSpare = one?.how === 'channel' && counts.channels > MAX_COVERED + 1;
  if (one !== undefined && !isSpare) found.push(one);
  const isEntered = isFolder && one?.how !== 'hidden folder';
  if (isEntered) folders.push(path);
  // A name that is not UTF-8 is decoded as another name, so nothing can be mounted there.
  if ((isEntered || one !== undefined) && path.includes('\uFFFD')) problems.push(noUtf8(path));
  inside.isCut =
    counts.others > MAX_COVERED ||
    counts.configs > MAX_CONFIGS ||
    folders.length > MAX_WAITING ||
    problems.length > MAX_COVERED;
}

const counted: Partial<Record<How, 'channels' | 'configs'>> = {
  channel: 'channels',
  'git config': 'configs',
};

/** Undefined if it may not be listed; a sentence if it can't be listed; null if it no longer exists. */
function listingOf(folder: string, { workspace }: FolderSearch): Dir | string | null | undefined {
  try {
    return opendirSync(folder, { bufferSize: BATCH });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (folder !== workspace) {
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      if (code === 'EACCES' || code === 'EPERM') return undefined;
    }
    return cantLook(folder, error);
  }
}

const shown = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path);

const cantLook = (folder: string, error: unknown): string =>
  `"${shown(folder)}" can't be searched for protected files (${(error as NodeJS.ErrnoException).code})`;

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
  const { access, isProtected } = search;
  if (entry.isSymbolicLink()) return access === 'write' ? linkOf(path, search) : undefined;
  const isFolder = entry.isDirectory();
  const how = isProtected(path, 'read')
    ? hidden(isFolder)
    : (configOf(path, isFolder, search) ?? writtenOf(path, entry, search));
  return how && { path, how, ...idOf(path) };
}

type How = ProtectedPath['how'];

const hidden = (isFolder: boolean): How => (isFolder ? 'hidden folder' : 'hidden file');

const configOf = (path: string, isFolder: boolean, search: FolderSearch): How | undefined =>
  !isFolder && search.isGitConfig?.(path) ? 'git config' : undefined;

function writtenOf(path: string, entry: Dirent, search: FolderSearch): How | undefined {
  if (search.access === 'read' || !search.isProtected(path, 'write')) return undefined;
  return entry.isDirectory() && repositories.has(entry.name) ? 'held' : 'read-only';
}

const linkOf = (path: string, { isProtected }: FolderSearch): ProtectedPath | undefined =>
  isProtected(path, 'write')
    ? { path, how: 'link', target: tryOr(() => readlinkSync(path), '') }
    : undefined;

/** The inode number of a deleted file may be reused, so the birth time is included. */
function idOf(path: string): { readonly id?: string } {
  const stats = tryOr(() => lstatSync(path), undefined);
  return stats ? { id: `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` } : {};
}
