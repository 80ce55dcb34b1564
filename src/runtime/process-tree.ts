import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';

/**
 * A process and those that descend from it, level by level (proc(5), `/proc/PID/task/TID/children`; Linux only). What was
 * orphaned in a namespace of its own is below the first process there.
 *
 * @param most Where there are more, only so many are found.
 */
export function* processTree(root: number, most = 1_000): Generator<Descendant> {
  const found: Descendant[] = [{ pid: root, depth: 0 }];
  for (const one of found) {
    yield one;
    if (found.length >= most) continue;
    const below = childrenOf(one.pid).slice(0, most - found.length);
    for (const pid of below) found.push({ pid, depth: one.depth + 1 });
  }
}

export interface Descendant {
  readonly pid: number;
  /** 0: the root itself. */
  readonly depth: number;
}

/** Ends the first process of a sandbox's namespace: the kernel ends all others there with it. False where there is none yet. */
export function endNamespace(sandbox: number): boolean {
  const inner = childrenOf(sandbox);
  for (const pid of inner) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
  return inner.length > 0;
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
  for (const { pid } of processTree(root)) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
    } catch {
      // Gone already.
    }
  }
}
