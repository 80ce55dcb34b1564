import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import { makeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';
import { codeOf, tryOr } from '../../../platform/try-or.ts';
import { inRealFolder } from './in-real-folder.ts';
import type { ProtectedPath } from './protected-path.ts';
import { cutProblem, type FolderSearch, type Inside, searchFolders } from './search-folders.ts';

/** The facts about a process that has ended. */
export interface Aftermath {
  /** The protected paths before it was started, from `findProtected`. */
  readonly before: readonly ProtectedPath[];
  /** In milliseconds since 1970: files that were created later are not its own. Default: all may be. */
  readonly endedMs?: number;
}

/** The forbidden files that a process created. */
export interface QuarantinedFiles {
  /** The first original paths, absolute. */
  readonly paths: readonly string[];
  readonly count: number;
  /** The folders that now contain them. */
  readonly folders: readonly string[];
  /** The first files that could not be moved and folders that could not be searched, with the reasons. */
  readonly problems: readonly string[];
}

const MAX_NAMED = 20;

/**
 * Moves new protected paths out of the workspace after a process ran in it: nothing can be mounted over
 * a path that does not exist, unless files are left on the host. Searches the whole workspace without a time limit, and
 * restores the permissions of folders that the process removed. Linux only. Failures are returned as problems.
 */
export async function quarantineNewFiles(
  { before, endedMs = Number.POSITIVE_INFINITY }: Aftermath,
  search: Omit<FolderSearch, 'access'>,
): Promise<QuarantinedFiles | undefined> {
  const { workspace, isProtected } = search;
  const isNew = newTo(before, isProtected);
  const quarantine = createQuarantine(workspace);
  const problems: string[] = [];
  const paths: string[] = [];
  const starts = [workspace];
  const opened = new Set<string>();
  let count = 0;
  const moveOut = (path: string) => {
    if (quarantine.folders().includes(path) || isMadeAfter(path, endedMs)) return;
    quarantine.take(path);
    count += 1;
    if (paths.length < MAX_NAMED) paths.push(path);
  };
  const reopen = (path: string) => {
    if (opened.has(path)) throw new Error('its permissions were removed');
    opened.add(path);
    if (open(path)) starts.push(path);
  };
  const treat = ({ path }: ProtectedPath) => {
    try {
      (isProtected(path, 'write') ? moveOut : reopen)(path);
    } catch (error) {
      problems.push(
        `"${path}" could not be moved or searched (${codeOf(error) ?? messageOf(error)})`,
      );
    }
  };
  const takeFrom = (inside: Inside) => {
    const earlier = count;
    inside.found.filter(isNew).forEach(treat);
    if (inside.isCut && count > earlier) starts.push(inside.folder);
    else if (inside.isCut) problems.push(cutProblem(inside));
    problems.push(...inside.problems);
    problems.splice(MAX_NAMED);
  };
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    for await (const inside of searchFolders({ ...search, access: 'write' }, start))
      takeFrom(inside);
  }
  if (count + problems.length === 0) return undefined;
  return { paths, count, folders: quarantine.folders(), problems };
}

/** Kinds of protected paths that may be new afterwards. */
const passing: ReadonlySet<ProtectedPath['how']> = new Set(['held', 'channel']);

function newTo(before: readonly ProtectedPath[], isProtected: FolderSearch['isProtected']) {
  const known = new Set(before.map(nameOf));
  const moved = new Set(before.flatMap(({ id }) => id ?? []));
  return (one: ProtectedPath): boolean =>
    !passing.has(one.how) &&
    (one.how !== 'git config' || isProtected(one.path, 'write')) &&
    !known.has(nameOf(one)) &&
    !moved.has(one.id ?? '');
}

/** False if the file system has no birth times. */
const isMadeAfter = (path: string, endedMs: number): boolean =>
  (lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0) > endedMs;

/** A link with another target counts as another path. */
const nameOf = ({ path, target }: ProtectedPath): string =>
  target === undefined ? path : `${path}\0${target}`;

/** Restores the owner's permissions of a folder. False if another user owns it, so that no sandboxed process created it. */
const open = (folder: string): boolean =>
  inRealFolder(folder, (at) => {
    const isOwn = statSync(at).uid === process.geteuid?.();
    if (isOwn) chmodSync(at, 0o700);
    return isOwn;
  });

/** Stands for the temporary folder. */
const TEMPORARY = '';
/** The kept part of a name, since the name with a prefix could be too long. */
const KEPT_CHARS = 50;

/**
 * Moves files away, under names that no program uses. Files are renamed, never copied, so that size and type do not matter and
 * nothing is left incomplete. They go to the temporary folder if it is on the same file system, else to a folder of the
 * workspace, else to a sibling of their location. In the workspace, the folder is called `.capstan-taken-…`, which no tool may
 * read or write.
 */
function createQuarantine(workspace: string) {
  const used = new Map<string, string>();
  let count = 0;
  const move = (from: string, name: string, base: string): void => {
    const folder = used.get(base) ?? makeFolder(base);
    try {
      renameSync(from, join(folder, `${count + 1}-${name.slice(0, KEPT_CHARS)}`));
      count += 1;
      used.set(base, folder);
    } finally {
      if (!used.has(base)) rmSync(folder, { recursive: true, force: true });
    }
  };
  return {
    /**
     * Moves a path away atomically.
     *
     * @throws Error of the file system.
     */
    take: (path: string): void =>
      inRealFolder(dirname(path), (folder) => {
        const from = join(folder, basename(path));
        const moveOut = (base: string) => () => move(from, basename(path), base);
        const moves = [TEMPORARY, workspace, dirname(path)].map(moveOut);
        // Its mode may prevent moving it.
        const retry = () => {
          restorePermissions(folder, from);
          tryEach(moves);
        };
        tryEach([...moves, retry]);
      }),
    /** The folders that contain the moved files. */
    folders: (): readonly string[] => [...used.values()],
  };
}

/** Creates the folder with an ignore file for version control, if there is space for it. */
function makeFolder(base: string): string {
  if (base === TEMPORARY) return makeTemporaryFolder('taken');
  const folder = mkdtempSync(join(base, '.capstan-taken-'));
  tryOr(() => writeFileSync(join(folder, '.gitignore'), '*\n'), undefined);
  return folder;
}

function tryEach([first, ...others]: readonly (() => void)[]): void {
  try {
    first?.();
  } catch (error) {
    if (others.length === 0) throw error;
    tryEach(others);
  }
}

function restorePermissions(folder: string, path: string): void {
  chmodSync(folder, 0o700);
  if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}
