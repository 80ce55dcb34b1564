import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';

/**
 * A process and those that descend from it, level by level (proc(5), `/proc/PID/task/TID/children`; Linux only). What was
 * orphaned in a namespace of its own is below the first process there.
 *
 * @param most Where there are more, only so many are found.
 */
export function processTree(root: number, most = 1_000): readonly (readonly number[])[] {
  const levels: number[][] = [[root]];
  let count = 1;
  for (const level of levels) {
    const below: number[] = [];
    for (const pid of level) {
      if (count + below.length < most) below.push(...childrenOf(pid));
    }
    count += below.length;
    if (below.length > 0) levels.push(below);
  }
  return levels;
}

function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** Most processes have one, whose number is theirs: a folder has two links beside those of the folders in it. */
function threadsOf(pid: number): readonly (string | number)[] {
  try {
    const folder = `/proc/${pid}/task`;
    return statSync(folder).nlink === 3 ? [pid] : readdirSync(folder);
  } catch {
    return [];
  }
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

/** What a file of `/proc` says; nothing where its process is gone. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Where memory runs out, the kernel ends this process, those below it and what they start from now on before any other
 * (proc(5), `oom_score_adj`; Linux only).
 */
export function endFirst(root: number): void {
  for (const pid of processTree(root).flat()) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
    } catch {
      // Gone already.
    }
  }
}
