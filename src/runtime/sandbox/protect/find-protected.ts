import { dirname, join, relative } from 'node:path';
import type { ProtectedPath } from './protected-path.ts';
import {
  cutProblem,
  type FolderSearch,
  type Inside,
  MAX_CONFIGS,
  MAX_COVERED,
  searchFolders,
} from './search-folders.ts';

/** Time limit of the search before a process is started, in milliseconds. */
export const MAX_SEARCH_MS = 10_000;

export const TOO_MANY_COVERED = `the workspace contains more than ${MAX_COVERED} protected files to hide`;

/**
 * Every protected path of a workspace, folders before their contents. Links are never followed. A folder that can't be
 * listed is hidden as a whole, because its owner could make it readable. A workspace with more protected paths than can be hidden is
 * not mounted at all. Files that may be Git's configuration do not count.
 *
 * @throws Error if there are too many of them or too many files, or if a folder can't be searched.
 */
export async function findProtected(search: FolderSearch): Promise<ProtectedPath[]> {
  const { workspace, isProtected } = search;
  if (isProtected(workspace, 'read')) throw new Error('the workspace is protected');
  const found = new Map<string, ProtectedPath>();
  const add = (one: ProtectedPath) => {
    if (one.how !== 'held' || !found.has(one.path)) found.set(one.path, one);
  };
  let configs = 0;
  const untilMs = performance.now() + MAX_SEARCH_MS;
  for await (const inside of searchFolders(search)) {
    for (const one of inside.found) {
      for (const path of holdersOf(one, search)) add({ path, how: 'held' });
      add(one);
      configs += Number(one.how === 'git config');
    }
    const problem = problemOf(inside, found.size - configs, configs, untilMs);
    if (problem !== undefined) throw new Error(problem);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function problemOf(inside: Inside, covered: number, configs: number, untilMs: number) {
  if (covered > MAX_COVERED) return TOO_MANY_COVERED;
  if (configs > MAX_CONFIGS)
    return `the workspace contains more than ${MAX_CONFIGS} files that may be Git's configuration`;
  if (performance.now() > untilMs)
    return `the workspace contains too many files to search for protected ones (the last folder was "${inside.folder}")`;
  return inside.problems[0] ?? (inside.isCut ? cutProblem(inside) : undefined);
}

/** A name that no folder has and no protection rule contains. */
const ELSEWHERE = 'capstan-elsewhere';

/** The parent folders that must not be renamed or moved, because the protection of their contents depends on their names. */
function holdersOf({ path, how }: ProtectedPath, search: FolderSearch): readonly string[] {
  const { workspace, access, isProtected } = search;
  if (access === 'read' || how === 'held') return [];
  const wanted = isProtected(path, 'read') ? 'read' : 'write';
  if (!isProtected(path, wanted)) return [];
  const holders: string[] = [];
  for (let above = dirname(path); above.length > workspace.length; above = dirname(above)) {
    const moved = join(dirname(above), ELSEWHERE, relative(above, path));
    if (!isProtected(moved, wanted)) holders.push(above);
  }
  return holders;
}
