import { textOfFile } from '../../platform/try-or.ts';
import { preferForOomKill, processTree } from './process-tree.ts';

/**
 * In MiB. Above the limit by the kernel, 512 MiB of writable private memory, so that it is exceeded only by what that does not
 * count: pages that were made read-only, a stack that was moved, page tables.
 */
const MAX_MIB = 640;
const MAX_THREADS = 512;
const EVERY_MS = 100;
/** Two of bubblewrap, and the capsule. */
const MAX_PROCESSES = 3;

/**
 * Watches the memory and the threads of a capsule, which starts no processes. If memory runs out first, the kernel ends the
 * capsule first. Linux only; elsewhere nothing is limited.
 *
 * @param root The process, or that of its sandbox.
 * @param onExcess Called at most once, with what is wrong: `it used …`
 * @returns Ends the watch.
 */
export function watchCapsule(root: number, onExcess: (problem: string) => void): () => void {
  const end = () => clearInterval(timer);
  const timer = setInterval(() => {
    const problem = findExcess(root);
    if (problem === undefined) return;
    end();
    onExcess(problem);
  }, EVERY_MS);
  preferForOomKill(root);
  return end;
}

function findExcess(root: number): string | undefined {
  let kib = 0;
  let threads = 0;
  for (const { pid } of processTree(root, MAX_PROCESSES)) {
    const status = textOfFile(`/proc/${pid}/status`);
    for (const [, found] of status.matchAll(memory)) kib += Number(found);
    threads += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  if (kib > MAX_MIB * 1024) return `it used more than ${MAX_MIB} MiB of memory`;
  return threads > MAX_THREADS ? `it used more than ${MAX_THREADS} threads` : undefined;
}

/** proc(5), `/proc/PID/status`. */
const memory = /^(?:RssAnon|VmSwap|VmPTE):\s+(\d+)/gm;
