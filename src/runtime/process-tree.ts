import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

/** More processes are not looked at: none of ours may start so many. */
const MOST_PROCESSES = 2_000;

/**
 * A process and all that descend from it, level by level (proc(5), `/proc/PID/task/TID/children`; Linux only). What was
 * orphaned in a namespace of its own is below the first process there.
 */
export function processTree(root: number): readonly (readonly number[])[] {
  const levels: number[][] = [[root]];
  let count = 1;
  for (const level of levels) {
    const below = level.flatMap(childrenOf).slice(0, MOST_PROCESSES - count);
    count += below.length;
    if (below.length > 0) levels.push(below);
  }
  return levels;
}

function childrenOf(pid: number): readonly number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** What the descriptors of a process lead to, by their numbers; undefined where that can't be seen. */
export function openFiles(pid: number): ReadonlyMap<string, string> | undefined {
  const folder = `/proc/${pid}/fd`;
  try {
    return new Map(readdirSync(folder).map((fd) => [fd, linkOf(`${folder}/${fd}`)]));
  } catch {
    return undefined;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** What a file of `/proc` says; nothing where its process is gone. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Where memory runs out, the kernel ends this process and what it starts first (proc(5), `oom_score_adj`; Linux only). */
export function endFirst(pid: number | undefined): void {
  if (process.platform !== 'linux' || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // Gone already.
  }
}
