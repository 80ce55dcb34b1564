import { chmodSync, lstatSync, statSync } from 'node:fs';
import { messageOf } from '../../../contract/errors.ts';
import { codeOf } from '../../../platform/try-or.ts';
import { inRealFolder } from './in-real-folder.ts';
import type { ProtectedPath } from './protected-path.ts';
import { createQuarantine } from './quarantine.ts';
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
