import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ToolWish } from './sandbox.ts';

/** A path in the workspace that a process there must not read or must not change. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  /** `held` only keeps the folder from being renamed: what it holds is protected one by one. */
  readonly how: 'hidden file' | 'hidden folder' | 'read-only' | 'held';
}

/** A workspace that needs more is not mounted: to hide only some of it would be a lie. */
const MAX_COVERED = 1_000;
/** Longest that is looked, in milliseconds. */
const MAX_LOOK_MS = 10_000;

type Search = Pick<ToolWish, 'workspace' | 'access' | 'isProtected'>;

/**
 * Every protected path of a workspace, a folder before what it holds. Links lead nowhere inside and are passed over.
 *
 * @throws Error where there are too many of them, or too many files to look at.
 */
export function findProtected(search: Search): ProtectedPath[] {
  const { workspace, isProtected } = search;
  if (isProtected(workspace, 'read')) throw new Error('the workspace is protected');
  const found: ProtectedPath[] = [];
  const untilMs = performance.now() + MAX_LOOK_MS;
  const folders = [workspace];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside = lookInto(folder, search);
    found.push(...inside.found);
    folders.push(...inside.folders);
    assertBounded(found.length, untilMs);
  }
  return found;
}

function assertBounded(count: number, untilMs: number): void {
  if (count > MAX_COVERED)
    throw new Error(`the workspace holds more than ${MAX_COVERED} protected files to hide`);
  if (performance.now() > untilMs)
    throw new Error('the workspace holds too many files to look for protected ones');
}

/** The protected entries of one folder, and the folders to look into next. */
function lookInto(
  folder: string,
  search: Search,
): { found: readonly ProtectedPath[]; folders: readonly string[] } {
  const found: ProtectedPath[] = [];
  const folders: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const how = protectionOf(path, entry, search);
    if (how !== undefined) found.push({ path, how });
    if (entry.isDirectory() && how !== 'hidden folder' && !isObjects(folder, entry))
      folders.push(path);
  }
  return { found, folders };
}

/** What can't be listed by us can't be listed by what we start, either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function protectionOf(
  path: string,
  entry: Dirent,
  { access, isProtected }: Search,
): ProtectedPath['how'] | undefined {
  if (entry.isSymbolicLink()) return undefined;
  const isFolder = entry.isDirectory();
  if (isProtected(path, 'read')) return isFolder ? 'hidden folder' : 'hidden file';
  if (access === 'read' || !isProtected(path, 'write')) return undefined;
  return isFolder && basename(path) === '.git' ? 'held' : 'read-only';
}

/** What Git stores lies here, thousands of folders of it, and nothing that steers. */
const isObjects = (folder: string, { name }: Dirent): boolean =>
  name === 'objects' && (folder.endsWith('/.git') || folder.includes('/.git/modules/'));

/** Whether a path is there, links not followed. */
export const isThere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false }) !== undefined;
