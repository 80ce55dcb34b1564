import { statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { textOfFile, tryOr } from '../../platform/try-or.ts';
import type { CallGroup } from '../../runtime/process/process-bound.ts';
import { openFiles, preferForOomKill, processTree } from '../../runtime/process/process-tree.ts';
import { createYielder, type Yielder } from '../../runtime/sandbox/create-yielder.ts';

const MIB = 1024 * 1024;
const EVERY_MS = 100;
const FIRST_MS = 50;
/** Measuring memory takes at most one part in twenty of the time. */
const REST = 20;
const MAX_REST_MS = 2_000;

/** Memory limit of all processes of one call, in bytes: half of the memory of the machine or container, at least 2 GiB. */
export const maxMemoryBytes = (): number =>
  Math.max(2_048 * MIB, Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2);

/** Limit of the processes of one call, without threads. */
const MAX_PROCESSES = 512;

/** The limit that was exceeded. */
export type Excess = 'memory' | 'processes';

/**
 * Watches all processes of a call. The kernel limits the memory of one process, but not shared memory, and for root without
 * a control group not the number of processes. If memory runs out first, the kernel ends these processes first. Linux
 * only; elsewhere nothing is limited.
 *
 * @param root The first process.
 * @param group Its control group, which limits the number of its processes.
 * @param maxBytes Memory limit of all of them together.
 * @param onExcess Called at most once.
 * @returns Ends the watch.
 */
export function watchProcesses(
  root: number,
  group: CallGroup | undefined,
  maxBytes: number,
  onExcess: (excess: Excess) => void,
): () => void {
  const pids = async () => group?.pids() ?? (await pidsBelow(root));
  const end = () => {
    isOver = true;
    clearTimeout(counting);
    clearTimeout(weighing);
  };
  const exceed = (excess: Excess) => {
    if (isOver) return;
    end();
    onExcess(excess);
  };
  let isOver = false;
  // Separate from measuring memory: a fork bomb doubles meanwhile.
  const count = async () => {
    if ((await pids()).length > MAX_PROCESSES) exceed('processes');
    if (!isOver) counting = setTimeout(count, EVERY_MS);
  };
  let counting = group === undefined ? setTimeout(count, EVERY_MS) : undefined;
  const weigh = async () => {
    const startedMs = performance.now();
    if (await exceedsMemory(await pids(), maxBytes)) exceed('memory');
    const restMs = Math.max(EVERY_MS, REST * (performance.now() - startedMs));
    if (!isOver) weighing = setTimeout(weigh, Math.min(restMs, MAX_REST_MS));
  };
  let weighing = setTimeout(weigh, FIRST_MS);
  preferForOomKill(root);
  return end;
}

async function pidsBelow(root: number): Promise<readonly number[]> {
  const yielder = createYielder();
  const pids: number[] = [];
  for (const { pid } of processTree(root, MAX_PROCESSES + 1)) {
    pids.push(pid);
    if (yielder.isDue()) await yielder.take();
  }
  return pids;
}

/** First counts shared pages once for each process; exactly only if that is too much. */
async function exceedsMemory(pids: readonly number[], maxBytes: number): Promise<boolean> {
  const yielder = createYielder();
  const nameless = await namelessBytes(pids, yielder);
  if ((await usedBytes(pids, rough, nameless, yielder)) <= maxBytes) return false;
  return (await usedBytes(pids, exact, nameless, yielder)) > maxBytes;
}

/** A file that states the memory of a process in KiB: its own, and possibly shared memory. */
interface Account {
  readonly file: string;
  readonly own: RegExp;
  readonly shared: RegExp;
}

/** In `/proc/PID/status` only. */
const pageTables = /^VmPTE:\s+(\d+)/gm;

/** proc(5), `/proc/PID/status` and `/proc/PID/smaps_rollup`. */
const rough: Account = {
  file: 'status',
  own: /^(?:RssAnon|VmSwap):\s+(\d+)/gm,
  shared: /^RssShmem:\s+(\d+)/gm,
};
const exact: Account = {
  file: 'smaps_rollup',
  own: /^(?:Pss_Anon|SwapPss):\s+(\d+)/gm,
  shared: /^Pss_Shmem:\s+(\d+)/gm,
};

/**
 * Unnamed files count whether or not they are mapped. A process can hide its exact account from all but root (prctl(2),
 * `PR_SET_DUMPABLE`), but not the rough one.
 */
async function usedBytes(
  pids: readonly number[],
  account: Account,
  nameless: number,
  yielder: Yielder,
): Promise<number> {
  let ownBytes = 0;
  let sharedBytes = 0;
  for (const pid of pids) {
    const status = textOfFile(`/proc/${pid}/${rough.file}`);
    const wanted = account === rough ? status : textOfFile(`/proc/${pid}/${account.file}`);
    const { own, shared } = wanted === '' ? rough : account;
    const text = wanted === '' ? status : wanted;
    ownBytes += sumOf(text, own) + sumOf(status, pageTables);
    sharedBytes += sumOf(text, shared);
    if (yielder.isDue()) await yielder.take();
  }
  return ownBytes + Math.max(sharedBytes, nameless);
}

function sumOf(text: string, field: RegExp): number {
  let kib = 0;
  for (const [, found] of text.matchAll(field)) kib += Number(found);
  return kib * 1024;
}

/** The size of open files that were made by memfd_create(2). */
async function namelessBytes(pids: readonly number[], yielder: Yielder): Promise<number> {
  const byFile = new Map<number, number>();
  for (const pid of pids) {
    for (const [fd, path] of openFiles(pid) ?? []) {
      if (!path.startsWith('/memfd:')) continue;
      const stats = tryOr(() => statSync(`/proc/${pid}/fd/${fd}`), undefined);
      if (stats !== undefined) byFile.set(stats.ino, stats.blocks * 512);
    }
    if (yielder.isDue()) await yielder.take();
  }
  return [...byFile.values()].reduce((sum, bytes) => sum + bytes, 0);
}
