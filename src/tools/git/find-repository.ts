import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../../platform/files/inside.ts';
import { readStart } from '../../platform/files/plain-file.ts';
import { tryOr } from '../../platform/try-or.ts';

/** The Git repository of a workspace, if it is outside the workspace. */
export interface Repository {
  /** The folder of its files, absolute. */
  readonly root: string;
  /** The paths outside the workspace that Git reads, absolute, symbolic links resolved. */
  readonly paths: readonly string[];
}

/**
 * Looks for `.git` as Git does, without starting Git. A file that points to a repository elsewhere only counts if that
 * points back to it: the file may come with a project.
 *
 * @param around Absolute, symbolic links resolved.
 * @returns Undefined if the workspace contains its repository, or has none, or if the root is `/`, the home or above it.
 */
export function findRepository({
  workspace,
  home,
}: Readonly<Record<'workspace' | 'home', string>>): Repository | undefined {
  for (let root = workspace; !isInside(root, home); root = dirname(root)) {
    const link = join(root, '.git');
    const found = lstatSync(link, { throwIfNoEntry: false });
    if (found === undefined || (found.isDirectory() && !isRepository(link))) continue;
    const all = found.isDirectory() ? [link] : linkedPaths(root, link);
    const paths = all.filter((one) => !isInside(workspace, one));
    const isClosed = (one: string) => isInside(one, workspace) || isInside(rootOf(one), home);
    return paths.length > 0 && !paths.some(isClosed) ? { root, paths } : undefined;
  }
  return undefined;
}

/** The folder around `.git`; a bare repository is its own. */
const rootOf = (folder: string): string => {
  const at = `${folder}/`.indexOf('/.git/');
  return at < 0 ? folder : folder.slice(0, at) || '/';
};

/** A `.git` file and the repository that it points to. */
function linkedPaths(root: string, link: string): readonly string[] {
  return tryOr(() => {
    const folder = realpathSync(resolve(root, pointer(link, /^gitdir: (.+)/)));
    const worktrees = lstatSync(join(folder, 'commondir'), { throwIfNoEntry: false });
    return worktrees ? ofWorktree(link, folder) : ofSubmodule(root, link, folder);
  }, []);
}

function ofWorktree(link: string, folder: string): readonly string[] {
  const common = realpathSync(resolve(folder, pointer(join(folder, 'commondir'), /^(.+)/)));
  const back = realpathSync(resolve(folder, pointer(join(folder, 'gitdir'), /^(.+)/)));
  const isOurs = back === link && dirname(folder) === join(common, 'worktrees');
  return isOurs && isRepository(common) ? [link, common] : [];
}

function ofSubmodule(root: string, link: string, folder: string): readonly string[] {
  const back = pointer(join(folder, 'config'), /^\s*worktree\s*=\s*"?([^"\n]+)/m);
  return realpathSync(resolve(folder, back)) === root && isRepository(folder) ? [link, folder] : [];
}

const isRepository = (folder: string): boolean =>
  ['HEAD', 'objects'].every((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));

const MAX_POINTER_BYTES = 64 * 1024;

/** @throws Error if it can't be read as a file or says nothing. */
function pointer(path: string, pattern: RegExp): string {
  const text = readStart(path, MAX_POINTER_BYTES)?.toString('utf8') ?? '';
  const found = pattern.exec(text)?.[1]?.trim();
  if (!found) throw new Error(`${basename(path)} leads nowhere`);
  return found;
}
