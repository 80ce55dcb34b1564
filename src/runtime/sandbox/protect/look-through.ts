import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Breath, createBreath } from '../breath.ts';
import { createKnownFolders, type KnownFolders } from '../bubblewrap/known-folders.ts';
import type { ProtectedPath } from './protected-path.ts';

/** A workspace with more protected paths gets no process; of one folder, no more are held at once. */
export const MAX_COVERED = 1_000;
/** Most files that may be Git's configuration: only those with a credential are covered, once they were looked into. */
export const MAX_CONFIGS = 100_000;
/** More folders that are still to be looked into are not held. */
const MAX_WAITING = 1_000_000;
/** Entries that the system is asked for at once. */
const BATCH = 256;

export interface LookSearch {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** What a process may do to the workspace. */
  readonly access: 'read' | 'write';
  /** True where a path (absolute) may not be touched by a tool. */
  isProtected(path: string, access: 'read' | 'write'): boolean;
  /** True where a file (absolute) may be Git's configuration. Default: none is. */
  readonly isGitConfig?: ((path: string) => boolean) | undefined;
}

/** What one folder holds. */
export interface Inside {
  /** Absolute. */
  readonly folder: string;
  readonly found: readonly ProtectedPath[];
  /** To be looked into next. */
  readonly folders: readonly string[];
  /** What can't be looked at, in words. */
  readonly problems: readonly string[];
  /** There is more in it than is held at once; nothing below it is looked at. */
  readonly isCut: boolean;
}

/**
 * All folders of a tree, the outer ones first, for as long as it takes; others get their turn meanwhile.
 *
 * @param from Where to begin. Default: the workspace.
 */
export async function* lookThrough(
  search: LookSearch,
  from = search.workspace,
): AsyncGenerator<Inside> {
  const seen = knownFolders(search);
  const breath = createBreath();
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const into = folder;
    const inside = await seen.at(into, () => lookInto(into, search, breath));
    const isCut = inside.isCut || waiting.length + inside.folders.length > MAX_WAITING;
    if (!isCut) for (const path of inside.folders) waiting.push(path);
    yield { ...inside, isCut };
    if (breath.isDue()) await breath.take();
  }
}

export const cutProblem = ({ folder }: Inside): string =>
  `"${shown(folder)}" holds more folders or protected files than can be looked at`;

/** By whoever says what is protected, and what may be done to it. */
const known = new WeakMap<LookSearch['isProtected'], Map<string, KnownFolders<Inside>>>();

function knownFolders({ access, isProtected }: LookSearch): KnownFolders<Inside> {
  const byAccess = known.get(isProtected) ?? new Map<string, KnownFolders<Inside>>();
  known.set(isProtected, byAccess);
  const folders = byAccess.get(access) ?? createKnownFolders<Inside>();
  byAccess.set(access, folders);
  return folders;
}

/** The protected entries of one folder, and the folders to look into next. */
async function lookInto(folder: string, search: LookSearch, breath: Breath): Promise<Inside> {
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
      if (breath.isDue()) await breath.take();
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
  // One channel more than can be hidden is as good as any number, and does not end the look.
  const isSpare = one?.how === 'channel' && counts.channels > MAX_COVERED + 1;
  if (one !== undefined && !isSpare) found.push(one);
  const isEntered = isFolder && one?.how !== 'hidden folder';
  if (isEntered) folders.push(path);
  // A name that is no UTF-8 reads as another one, and nothing can be mounted there.
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

/** Undefined where it may not be listed; in words, why it can't be; null where it is gone, and so holds nothing. */
function listingOf(folder: string, { workspace }: LookSearch): Dir | string | null | undefined {
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
  `"${shown(folder)}" can't be looked through for protected files (${(error as NodeJS.ErrnoException).code})`;

const noUtf8 = (path: string): string =>
  `the name of "${shown(path)}" is no UTF-8: what it holds can't be protected; rename it`;

/** A file by such a name says where a repository is; of the folder, only name and place are protected. */
const repositories: ReadonlySet<string> = new Set(['.git', 'repo']);

function protectionOf(path: string, entry: Dirent, search: LookSearch): ProtectedPath | undefined {
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

const configOf = (path: string, isFolder: boolean, search: LookSearch): How | undefined =>
  !isFolder && search.isGitConfig?.(path) ? 'git config' : undefined;

function writtenOf(path: string, entry: Dirent, search: LookSearch): How | undefined {
  if (search.access === 'read' || !search.isProtected(path, 'write')) return undefined;
  return entry.isDirectory() && repositories.has(entry.name) ? 'held' : 'read-only';
}

const linkOf = (path: string, { isProtected }: LookSearch): ProtectedPath | undefined =>
  isProtected(path, 'write') ? { path, how: 'link', target: targetOf(path) } : undefined;

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** A number of a file that is gone may be given to the next one, which was born later. */
function idOf(path: string): { readonly id?: string } {
  try {
    const { dev, ino, birthtimeMs } = lstatSync(path);
    return { id: `${dev}:${ino}:${birthtimeMs}` };
  } catch {
    return {};
  }
}
