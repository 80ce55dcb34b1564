import { readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTick } from '../../platform/process-mark.ts';
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

/** The environment variable that marks the processes of one call or attempt, including those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

/** Longest search for them, in milliseconds. */
const MAX_MS = 1_000;
/** Read concurrently: a process that is starting another one blocks its readers. */
const BATCH = 64;

/**
 * Kills every process with the mark in its initial environment (Linux only: read from /proc), also those that were
 * started during the search. Processes that start others faster than they are found escape.
 */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const over = new AbortController();
  const timeIsUp = sleep(MAX_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([killUntilNone(mark, over.signal), timeIsUp]);
  over.abort();
}

async function killUntilNone(mark: string, over: AbortSignal): Promise<void> {
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  let wasFound = false;
  const endIfMarked = async (pid: string) => {
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (environment?.includes(wanted) && sendSignal(Number(pid), 'SIGKILL')) wasFound = true;
  };
  do {
    wasFound = false;
    const pids = youngerProcesses();
    for (let at = 0; at < pids.length && !over.aborted; at += BATCH)
      await Promise.all(pids.slice(at, at + BATCH).map(endIfMarked));
  } while (wasFound && !over.aborted);
}

/**
 * The processes that this one may have started: not those that are older. Synchronous, because an asynchronous read takes
 * longer than the search.
 */
function youngerProcesses(): string[] {
  const since = Number(startTick(process.pid));
  // An unknown start counts as young.
  const isOlder = (pid: string) => Number(startTick(Number(pid))) < since;
  const names = tryOr(() => readdirSync('/proc'), []);
  return names.filter((name) => /^\d+$/.test(name) && !isOlder(name));
}
