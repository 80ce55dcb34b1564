import { dirname, join, relative } from 'node:path';
import {
  cutProblem,
  type Inside,
  type LookSearch,
  lookThrough,
  MAX_CONFIGS,
  MAX_COVERED,
} from './look-through.ts';
import type { ProtectedPath } from './protected-path.ts';

/** Longest that is looked before a process is started, in milliseconds. */
export const MAX_LOOK_MS = 10_000;

export const TOO_MANY_COVERED = `the workspace holds more than ${MAX_COVERED} protected files to hide`;

/** What a process may do to the workspace comes with it. */
export type ProtectedSearch = LookSearch;

/**
 * Every protected path of a workspace, a folder before what it holds. Links are never followed. A folder that can't be
 * listed is hidden as a whole: whoever owns it could open it again. A workspace with more of them than can be hidden is
 * not mounted: to hide only some of them would be a lie. Files that may be Git's configuration do not count.
 *
 * @throws Error where there are too many of them or too many files to look at, or where something can't be looked at.
 */
export async function findProtected(search: ProtectedSearch): Promise<ProtectedPath[]> {
  const { workspace, isProtected } = search;
  if (isProtected(workspace, 'read')) throw new Error('the workspace is protected');
  const found = new Map<string, ProtectedPath>();
  const add = (one: ProtectedPath) => {
    if (one.how !== 'held' || !found.has(one.path)) found.set(one.path, one);
  };
  let configs = 0;
  const untilMs = performance.now() + MAX_LOOK_MS;
  for await (const inside of lookThrough(search)) {
    for (const one of inside.found) {
      for (const path of holdersOf(one, search)) add({ path, how: 'held' });
      add(one);
      configs += Number(one.how === 'git config');
    }
    const problem = problemOf(inside, { covered: found.size - configs, configs, untilMs });
    if (problem !== undefined) throw new Error(problem);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Progress {
  readonly covered: number;
  readonly configs: number;
  readonly untilMs: number;
}

function problemOf(inside: Inside, { covered, configs, untilMs }: Progress) {
  const { problems, folder, isCut } = inside;
  if (covered > MAX_COVERED) return TOO_MANY_COVERED;
  if (configs > MAX_CONFIGS)
    return `the workspace holds more than ${MAX_CONFIGS} files that may be Git's configuration`;
  return performance.now() > untilMs
    ? `the workspace holds too many files to look for protected ones (the last folder was "${folder}")`
    : (problems[0] ?? (isCut ? cutProblem(inside) : undefined));
}

/** No folder has such a name, and no rule of protection speaks of it. */
const ELSEWHERE = 'capstan-elsewhere';

/** The folders above that must stay where they are: under another name, what they hold would not be protected any more. */
function holdersOf({ path, how }: ProtectedPath, search: ProtectedSearch): readonly string[] {
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
