import { readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { textOfFile, tryOr } from '../../platform/try-or.ts';

/** Signals a process, or a process group by its negative id. False if there is none. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean =>
  tryOr(() => process.kill(pid, signal), false);

/**
 * A process and its descendants, level by level (proc(5), `/proc/PID/task/TID/children`; Linux only). A process that was
 * orphaned in its own PID namespace is below the first process of that namespace.
 *
 * @param most The maximum number of processes.
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

interface Descendant {
  readonly pid: number;
  /** 0: the root itself. */
  readonly depth: number;
}

/** Kills the first process of a sandbox's namespace, and with it all others there. False if there is none yet. */
export function killNamespace(sandbox: number): boolean {
  const inner = childrenOf(sandbox);
  for (const pid of inner) sendSignal(pid, 'SIGKILL');
  return inner.length > 0;
}

function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    textOfFile(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** Most processes have one thread with their own id. The link count of the folder is the number of its subfolders plus two. */
function threadsOf(pid: number): readonly (string | number)[] {
  const folder = `/proc/${pid}/task`;
  return tryOr(() => (statSync(folder).nlink === 3 ? [pid] : readdirSync(folder)), []);
}

/** The targets of a process's descriptors, by number; undefined if they can't be read. */
export function openFiles(pid: number): ReadonlyMap<string, string> | undefined {
  const folder = `/proc/${pid}/fd`;
  const fds = tryOr(() => readdirSync(folder), undefined);
  return fds && new Map(fds.map((fd) => [fd, tryOr(() => readlinkSync(`${folder}/${fd}`), '')]));
}

/**
 * If memory runs out, the kernel kills this process, its descendants and their future children before any other process
 * (proc(5), `oom_score_adj`; Linux only).
 */
export function preferForOomKill(root: number): void {
  for (const { pid } of processTree(root))
    tryOr(() => writeFileSync(`/proc/${pid}/oom_score_adj`, '1000'), undefined);
}
