import { chmodSync, lstatSync, statSync } from 'node:fs';
import { inRealFolder } from '../bubblewrap/in-real-folder.ts';
import { cutProblem, type Inside, type LookSearch, lookThrough } from './look-through.ts';
import type { ProtectedPath } from './protected-path.ts';
import { createQuarantine } from './quarantine.ts';

/** What is known of a process that has ended. */
export interface Aftermath {
  /** What `findProtected` found before it was started. */
  readonly before: readonly ProtectedPath[];
  /** In milliseconds since 1970: what was made later is not its work. Default: all of it may be. */
  readonly endedMs?: number;
}

/** What a process made although it must not be there. */
export interface TakenAway {
  /** Absolute, as they were called: the first of them. */
  readonly paths: readonly string[];
  readonly count: number;
  /** Where they are now. */
  readonly folders: readonly string[];
  /** What could not be taken away, or not be looked for, and why, in words: the first of them. */
  readonly problems: readonly string[];
}

/** Most that are named, of paths and of problems. */
const MAX_NAMED = 20;

/**
 * Takes protected paths out of the workspace that were not there before a process ran in it: nothing can be mounted over
 * a path that does not exist, unless files are left on the host. Looks through all of it, however long that takes, and
 * opens folders that the process closed. Linux only. Never throws half way: what goes wrong is a problem.
 */
export async function takeAwayNew(
  { before, endedMs = Number.POSITIVE_INFINITY }: Aftermath,
  search: Omit<LookSearch, 'access'>,
): Promise<TakenAway | undefined> {
  const { workspace, isProtected } = search;
  const isNew = newTo(before, isProtected);
  const quarantine = createQuarantine(workspace);
  const problems: string[] = [];
  const paths: string[] = [];
  const starts = [workspace];
  const opened = new Set<string>();
  let count = 0;
  const takeOut = (path: string) => {
    if (quarantine.folders().includes(path) || isMadeAfter(path, endedMs)) return;
    quarantine.take(path);
    count += 1;
    if (paths.length < MAX_NAMED) paths.push(path);
  };
  const lookAgain = (path: string) => {
    if (opened.has(path)) throw new Error('it is closed');
    opened.add(path);
    if (open(path)) starts.push(path);
  };
  const treat = ({ path }: ProtectedPath) => {
    try {
      (isProtected(path, 'write') ? takeOut : lookAgain)(path);
    } catch (error) {
      problems.push(`"${path}" could not be taken out or looked through (${wordsOf(error)})`);
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
    for await (const inside of lookThrough({ ...search, access: 'write' }, start)) takeFrom(inside);
  }
  if (count + problems.length === 0) return undefined;
  return { paths, count, folders: quarantine.folders(), problems };
}

/** What may be there afterwards, although it was not before. */
const passing: ReadonlySet<ProtectedPath['how']> = new Set(['held', 'channel']);

/** A path that was there before is not new, nor is what was only moved. */
function newTo(before: readonly ProtectedPath[], isProtected: LookSearch['isProtected']) {
  const known = new Set(before.map(nameOf));
  const moved = new Set(before.flatMap(({ id }) => id ?? []));
  return (one: ProtectedPath): boolean =>
    !passing.has(one.how) &&
    (one.how !== 'git config' || isProtected(one.path, 'write')) &&
    !known.has(nameOf(one)) &&
    !moved.has(one.id ?? '');
}

/** Where the file system doesn't know when a file was made, nobody made it later. */
function isMadeAfter(path: string, endedMs: number): boolean {
  const birthtimeMs = lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return birthtimeMs > endedMs;
}

/** A link that leads elsewhere is another one. */
const nameOf = ({ path, target }: ProtectedPath): string =>
  target === undefined ? path : `${path}\0${target}`;

const wordsOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

/** Gives a folder back to its owner, who closed it. False if another user made it, which no sandboxed process is. */
const open = (folder: string): boolean =>
  inRealFolder(folder, (at) => {
    const isOwn = statSync(at).uid === process.geteuid?.();
    if (isOwn) chmodSync(at, 0o700);
    return isOwn;
  });
