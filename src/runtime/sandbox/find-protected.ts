import { type Dirent, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { createKnownFolders, type KnownFolders } from './known-folders.ts';

/** A path in the workspace that a process there must not read or must not change. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  /**
   * `held` only keeps a folder's name and place, on which the protection of what it holds depends. Nothing is mounted over a
   * `link`: where it leads is looked at, and that it is still the same one afterwards. A `channel` is a socket or a pipe: it
   * is hidden, since it may lead to programs outside, also where the workspace is read-only.
   */
  readonly how: 'hidden file' | 'hidden folder' | 'read-only' | 'held' | 'link' | 'channel';
  /** Where a link leads, as it stands in it. */
  readonly target?: string;
}

/** A workspace that needs more is not mounted: to hide only some of it would be a lie. A link needs none. */
const MAX_COVERED = 1_000;
/** Longest that is looked, in milliseconds. */
const MAX_LOOK_MS = 10_000;

/** Longest that nothing else gets its turn, in milliseconds. */
const MAX_BREATH_MS = 10;

export interface ProtectedSearch {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** What a process may do to the workspace. */
  readonly access: 'read' | 'write';
  /** True where a path (absolute) may not be touched by a tool. */
  isProtected(path: string, access: 'read' | 'write'): boolean;
  /** Told of what can't be looked at or is too much, instead of an error: the search goes on. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * Every protected path of a workspace, a folder before what it holds. Links are never followed. A folder that can't be
 * listed is hidden as a whole: whoever owns it could open it again.
 *
 * @throws Error where there are too many of them or too many files to look at, or where something can't be looked at.
 */
export async function findProtected(search: ProtectedSearch): Promise<ProtectedPath[]> {
  const { workspace, isProtected, onProblem = fail } = search;
  if (isProtected(workspace, 'read')) throw new Error('the workspace is protected');
  const found = new Map<string, ProtectedPath>();
  const add = (one: ProtectedPath) => {
    if (one.how !== 'held' || !found.has(one.path)) found.set(one.path, one);
  };
  for await (const inside of walk({ ...search, onProblem })) {
    for (const problem of inside.problems) onProblem(problem);
    for (const one of inside.found) {
      for (const path of holdersOf(one, search)) add({ path, how: 'held' });
      add(one);
    }
  }
  if (found.size > MAX_COVERED)
    onProblem(`the workspace holds more than ${MAX_COVERED} protected files to hide`);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** All folders of the workspace, the outer ones first. */
async function* walk(search: Required<ProtectedSearch>): AsyncGenerator<Inside> {
  const seen = knownFolders(search);
  const untilMs = performance.now() + MAX_LOOK_MS;
  let breathedMs = performance.now();
  const folders = [search.workspace];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const at = folder;
    const inside = seen.at(at, () => lookInto(at, search));
    folders.push(...inside.folders);
    yield inside;
    const nowMs = performance.now();
    if (nowMs > untilMs)
      return search.onProblem('the workspace holds too many files to look for protected ones');
    if (nowMs < breathedMs + MAX_BREATH_MS) continue;
    await breathe();
    breathedMs = performance.now();
  }
}

function fail(problem: string): never {
  throw new Error(problem);
}

/** By whoever says what is protected, and what may be done to it. */
const known = new WeakMap<ProtectedSearch['isProtected'], Map<string, KnownFolders<Inside>>>();

function knownFolders({ access, isProtected }: ProtectedSearch): KnownFolders<Inside> {
  const byAccess = known.get(isProtected) ?? new Map<string, KnownFolders<Inside>>();
  known.set(isProtected, byAccess);
  const folders = byAccess.get(access) ?? createKnownFolders<Inside>();
  byAccess.set(access, folders);
  return folders;
}

interface Inside {
  readonly found: readonly ProtectedPath[];
  /** To be looked into next. */
  readonly folders: readonly string[];
  /** What can't be looked at, in words. */
  readonly problems: readonly string[];
}

/** The protected entries of one folder, and the folders to look into next. */
function lookInto(folder: string, search: ProtectedSearch): Inside {
  const entries = entriesOf(folder, search);
  if (typeof entries === 'string') return { found: [], folders: [], problems: [entries] };
  if (entries === undefined)
    return { found: [{ path: folder, how: 'hidden folder' }], folders: [], problems: [] };
  const found: ProtectedPath[] = [];
  const folders: string[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const one = protectionOf(path, entry, search);
    if (one !== undefined) found.push(one);
    const isEntered = entry.isDirectory() && one?.how !== 'hidden folder';
    if (isEntered) folders.push(path);
    // A name that is no UTF-8 reads as another one, and nothing can be mounted there.
    if ((isEntered || one !== undefined) && path.includes('\uFFFD'))
      problems.push(
        `the name of "${path}" is no UTF-8: what it holds can't be protected; rename it`,
      );
  }
  return { found, folders, problems };
}

/** Undefined where it may not be listed; in words, why it can't be. What is gone meanwhile holds nothing. */
function entriesOf(
  folder: string,
  { workspace }: ProtectedSearch,
): readonly Dirent[] | string | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (folder !== workspace) {
      if (code === 'ENOENT') return [];
      if (code === 'EACCES' || code === 'EPERM') return undefined;
    }
    const shown = folder.length > 200 ? `${folder.slice(0, 200)}…` : folder;
    return `"${shown}" can't be looked through for protected files (${code})`;
  }
}

function protectionOf(
  path: string,
  entry: Dirent,
  search: ProtectedSearch,
): ProtectedPath | undefined {
  if (entry.isSocket() || entry.isFIFO()) return { path, how: 'channel' };
  const { access, isProtected } = search;
  if (entry.isSymbolicLink()) return access === 'write' ? linkOf(path, search) : undefined;
  const isFolder = entry.isDirectory();
  if (isProtected(path, 'read')) return { path, how: isFolder ? 'hidden folder' : 'hidden file' };
  if (access === 'read' || !isProtected(path, 'write')) return undefined;
  const isNameAlone = isFolder && !isProtected(join(path, ELSEWHERE), 'write');
  return { path, how: isNameAlone ? 'held' : 'read-only' };
}

const linkOf = (path: string, { isProtected }: ProtectedSearch): ProtectedPath | undefined =>
  isProtected(path, 'write') ? { path, how: 'link', target: targetOf(path) } : undefined;

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** No folder has such a name, and no rule of protection speaks of it. */
const ELSEWHERE = 'capstan-elsewhere';

/** The folders above that must stay where they are: under another name, what they hold would not be protected any more. */
function holdersOf({ path, how }: ProtectedPath, search: ProtectedSearch): readonly string[] {
  const { workspace, access, isProtected } = search;
  if (access === 'read' || how === 'held') return [];
  const wanted = isProtected(path, 'read') ? 'read' : 'write';
  const holders: string[] = [];
  for (let above = dirname(path); above.length > workspace.length; above = dirname(above)) {
    const moved = join(dirname(above), ELSEWHERE, relative(above, path));
    if (isProtected(path, wanted) && !isProtected(moved, wanted)) holders.push(above);
  }
  return holders;
}
