import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { type LookSearch, lookThrough } from './look-through.ts';
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
 * opens folders that were closed meanwhile. Linux only. Never throws half way: what goes wrong is a problem.
 */
export async function takeAwayNew(
  { before, endedMs = Number.POSITIVE_INFINITY }: Aftermath,
  search: Omit<LookSearch, 'access'>,
): Promise<TakenAway | undefined> {
  const { workspace, isProtected } = search;
  const known = new Set(before.map(nameOf));
  const moved = new Set(before.flatMap(({ id }) => id ?? []));
  const quarantine = createQuarantine(workspace);
  const problems = createList();
  const paths = createList();
  const starts = [workspace];
  const opened = new Set<string>();
  const isNew = (one: ProtectedPath) =>
    !passing.has(one.how) &&
    (one.how !== 'git config' || isProtected(one.path, 'write')) &&
    !known.has(nameOf(one)) &&
    !moved.has(one.id ?? '') &&
    !quarantine.isOwn(one.path);
  const takeOut = (path: string) => {
    if (isMadeAfter(path, endedMs)) return;
    const problem = quarantine.take(path);
    if (problem === undefined) paths.add(path);
    else problems.add(`"${path}" could not be taken out (${problem})`);
  };
  const lookAgain = (path: string) => {
    const ended = opened.has(path) ? 'closed' : open(path);
    if (ended === 'open') starts.push(path);
    else if (ended === 'closed') problems.add(`"${path}" is closed and can't be looked through`);
    opened.add(path);
  };
  const treat = ({ path }: ProtectedPath) =>
    isProtected(path, 'write') ? takeOut(path) : lookAgain(path);
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    for await (const inside of lookThrough({ ...search, access: 'write' }, start)) {
      inside.problems.forEach(problems.add);
      inside.found.filter(isNew).forEach(treat);
    }
  }
  if (paths.count() + problems.count() === 0) return undefined;
  return {
    paths: paths.first(),
    count: paths.count(),
    folders: quarantine.folders(),
    problems: problems.first(),
  };
}

/** Counts all, and keeps the first. */
function createList() {
  const first: string[] = [];
  let count = 0;
  return {
    add(one: string) {
      count += 1;
      if (first.length < MAX_NAMED) first.push(one);
    },
    first: (): readonly string[] => first,
    count: () => count,
  };
}

/** What may be there afterwards, although it was not before. */
const passing: ReadonlySet<ProtectedPath['how']> = new Set(['held', 'channel']);

/** Where the file system doesn't know when a file was made, nobody made it later. */
function isMadeAfter(path: string, endedMs: number): boolean {
  const birthtimeMs = lstatSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return birthtimeMs > endedMs;
}

/** A link that leads elsewhere is another one. */
const nameOf = ({ path, target }: ProtectedPath): string =>
  target === undefined ? path : `${path}\0${target}`;

/** O_PATH (asm-generic/fcntl.h) of Linux: opens what may be neither read nor listed. */
const PATH_ALONE = 0o10000000;

/** Gives a folder back to its owner, who closed it meanwhile. No sandboxed process makes one of another user: foreign. */
function open(folder: string): 'open' | 'closed' | 'foreign' {
  let fd: number | undefined;
  try {
    fd = openSync(folder, PATH_ALONE | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (fstatSync(fd).uid !== process.geteuid?.()) return 'foreign';
    chmodSync(`/proc/self/fd/${fd}`, 0o700);
    return 'open';
  } catch {
    return 'closed';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
