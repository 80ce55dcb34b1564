import { statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { openFiles, preferForOomKill, processTree, textOf } from '../../runtime/process-tree.ts';
import { createYielder, type Yielder } from '../../runtime/sandbox/create-yielder.ts';
import type { CallGroup } from './process-bound.ts';

const MIB = 1024 * 1024;
/** How often is looked at least, in milliseconds; weighing takes one part in twenty of the time at most. */
const EVERY_MS = 100;
const FIRST_MS = 50;
const REST = 20;
const MAX_REST_MS = 2_000;

/** What all processes of one call may hold together, in bytes: half of what the machine or its container has, and 2 GiB at least. */
export const mostMemoryBytes = (): number =>
  Math.max(2_048 * MIB, Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2);

/** More processes than these are not left to one call, threads not counted. */
const MAX_PROCESSES = 512;

/** What there was too much of. */
export type Excess = 'memory' | 'processes';

export interface Watched {
  /** The first process. */
  readonly root: number;
  /** The control group of its own, which bounds the number of its processes. */
  readonly group: CallGroup | undefined;
  /** What all of them may hold together. */
  readonly maxBytes: number;
}

/**
 * Looks at all processes of a call: the kernel bounds the memory of one process, shared memory in no way, and their number
 * not for root without a control group. Where memory runs out before that is seen, the kernel ends them first. Linux only;
 * elsewhere nothing is seen.
 *
 * @param act Called once.
 * @returns What ends the watch.
 */
export function watchProcesses(watched: Watched, act: (excess: Excess) => void): () => void {
  const { root, group, maxBytes } = watched;
  const pids = async () => group?.pids() ?? (await pidsBelow(root));
  const end = () => {
    isOver = true;
    clearTimeout(counting);
    clearTimeout(weighing);
  };
  const exceed = (excess: Excess) => {
    if (isOver) return;
    end();
    act(excess);
  };
  let isOver = false;
  // A fork bomb doubles while it is weighed: it is counted by itself.
  const count = async () => {
    if ((await pids()).length > MAX_PROCESSES) exceed('processes');
    if (!isOver) counting = setTimeout(count, EVERY_MS);
  };
  let counting = group === undefined ? setTimeout(count, EVERY_MS) : undefined;
  const weigh = async () => {
    const startedMs = performance.now();
    if (await holdTooMuch(await pids(), maxBytes)) exceed('memory');
    const restMs = Math.max(EVERY_MS, REST * (performance.now() - startedMs));
    if (!isOver) weighing = setTimeout(weigh, Math.min(restMs, MAX_REST_MS));
  };
  let weighing = setTimeout(weigh, FIRST_MS);
  preferForOomKill(root);
  return end;
}

/** Where many compete for the processor, others get their turn meanwhile: who waits for the end of the call, above all. */
async function pidsBelow(root: number): Promise<readonly number[]> {
  const breath = createYielder();
  const pids: number[] = [];
  for (const { pid } of processTree(root, MAX_PROCESSES + 1)) {
    pids.push(pid);
    if (breath.isDue()) await breath.take();
  }
  return pids;
}

/** Counts shared pages once for each who has them; only where that is too much, exactly. */
async function holdTooMuch(pids: readonly number[], maxBytes: number): Promise<boolean> {
  const breath = createYielder();
  const nameless = await namelessBytes(pids, breath);
  if ((await heldBytes(pids, rough, { nameless, breath })) <= maxBytes) return false;
  return (await heldBytes(pids, exact, { nameless, breath })) > maxBytes;
}

/** Where a process says what it holds, in KiB: of its own, and of what may be shared with others. */
interface Account {
  readonly file: string;
  readonly own: RegExp;
  readonly shared: RegExp;
}

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
 * Files without a name count by themselves, whether or not somebody has mapped them. A process may close its exact account
 * to all but root (prctl(2), `PR_SET_DUMPABLE`), never the rough one.
 */
async function heldBytes(
  pids: readonly number[],
  account: Account,
  { nameless, breath }: { readonly nameless: number; readonly breath: Yielder },
): Promise<number> {
  let ownBytes = 0;
  let sharedBytes = 0;
  for (const pid of pids) {
    const asked = textOf(`/proc/${pid}/${account.file}`);
    const { own, shared } = asked === '' ? rough : account;
    const said = asked === '' ? textOf(`/proc/${pid}/${rough.file}`) : asked;
    ownBytes += sumOf(said, own);
    sharedBytes += sumOf(said, shared);
    if (breath.isDue()) await breath.take();
  }
  return ownBytes + Math.max(sharedBytes, nameless);
}

function sumOf(text: string, field: RegExp): number {
  let kib = 0;
  for (const [, found] of text.matchAll(field)) kib += Number(found);
  return kib * 1024;
}

/** What files of memfd_create(2) hold that one of the processes has open. */
async function namelessBytes(pids: readonly number[], breath: Yielder): Promise<number> {
  const byFile = new Map<number, number>();
  for (const pid of pids) {
    for (const [fd, path] of openFiles(pid) ?? []) {
      const stats = path.startsWith('/memfd:') ? factsOf(`/proc/${pid}/fd/${fd}`) : undefined;
      if (stats !== undefined) byFile.set(stats.ino, stats.blocks * 512);
    }
    if (breath.isDue()) await breath.take();
  }
  return [...byFile.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function factsOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
