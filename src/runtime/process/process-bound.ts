import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textOfFile, tryOr } from '../../platform/try-or.ts';
import { sendSignal } from './process-tree.ts';

/** Limit of the processes and threads of one call, including its sandbox. */
const MAX_TASKS = 512;
const PREFIX = 'capstan-call-';
/** Time limit for killed processes to end, in milliseconds. One that the kernel does not end stays behind. */
const MAX_END_MS = 1_000;
const EVERY_MS = 5;
/** Older empty groups were left behind, in milliseconds. */
const MIN_AGE_MS = 60_000;

/** The control group of a call of root. */
export type CallGroup = ReturnType<typeof callGroup>;

/**
 * Starts a process in its own control group (cgroups(7)). The kernel limits the number of its descendants (`pids.max`), and
 * gives all of them together no more processor time than this process. Only root needs it: a resource limit bounds the
 * processes of other users. If no group can be created, only `watchProcesses` limits them.
 *
 * This process joins the group while it starts the child, so that the child is in it from its first instruction.
 *
 * @param start Synchronous.
 * @returns The child, and its group; without one if none can be created.
 */
export function startBounded<Child>(start: () => Child, maxTasks = MAX_TASKS) {
  const name = `${PREFIX}${randomUUID()}`;
  const pids = joinGroup('pids', name, maxTasks);
  if (pids === undefined) return { child: start(), group: undefined };
  // Version 2 has one group for everything.
  const cpu = joinGroup('cpu', name);
  const groups = cpu === undefined ? [pids] : [cpu, pids];
  try {
    return { child: start(), group: callGroup(groups, pids.folder) };
  } finally {
    leave(groups);
  }
}

/** Whether nothing but the watch limits the processes of this user: root without control groups. */
export function isUnbounded(): boolean {
  if (process.getuid?.() !== 0) return false;
  const made = makeGroup('pids', `${PREFIX}${randomUUID()}`, MAX_TASKS);
  if (made) remove(made.folder);
  return made === undefined;
}

/** Moves this process out of the groups. False if it is still in one. */
const leave = (groups: readonly Group[]): boolean =>
  groups.filter(({ parent }) => !join(parent)).length === 0;

interface Group {
  readonly parent: string;
  readonly folder: string;
}

function joinGroup(controller: 'pids' | 'cpu', name: string, maxTasks?: number): Group | undefined {
  const made = makeGroup(controller, name, maxTasks);
  if (made === undefined || join(made.folder)) return made;
  remove(made.folder);
  return undefined;
}

/** Undefined if the group can't be created, for example in a container with read-only groups. */
function makeGroup(controller: 'pids' | 'cpu', name: string, maxTasks?: number): Group | undefined {
  const parent = process.getuid?.() === 0 ? groupsFolder(controller) : undefined;
  if (parent === undefined) return undefined;
  removeOld(parent);
  const folder = path.join(parent, name);
  const isMade = tryOr(() => mkdirSync(folder), false) === undefined;
  if (!isMade) return undefined;
  if (maxTasks === undefined || write(path.join(folder, 'pids.max'), `${maxTasks}`))
    return { parent, folder };
  remove(folder);
  return undefined;
}

function callGroup(groups: readonly Group[], counted: string) {
  /** All processes of the call. */
  const pids = (): readonly number[] =>
    textOfFile(path.join(counted, 'cgroup.procs'))
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  /** Kills them all, even if they start others meanwhile, and removes the group. */
  const end = async () => {
    // Prevents new processes, except in a group that this process could not leave.
    if (leave(groups)) write(path.join(counted, 'pids.max'), '0');
    const endMs = performance.now() + MAX_END_MS;
    for (let left = pids(); left.length > 0 && performance.now() < endMs; left = pids()) {
      for (const pid of left) sendSignal(pid, 'SIGKILL');
      await sleep(EVERY_MS);
    }
    for (const { folder } of groups) remove(folder);
  };
  return { pids, end };
}

/** Version 1 can move only the calling thread, which starts the child. To move all threads, the kernel waits about 10 ms. */
const join = (folder: string): boolean =>
  write(path.join(folder, 'tasks'), '0') || write(path.join(folder, 'cgroup.procs'), '0');

const write = (file: string, text: string): boolean =>
  tryOr(() => writeFileSync(file, text), false) === undefined;

/** Where groups can be created below our own: version 1, or version 2 if we are at its root. */
function groupsFolder(controller: 'pids' | 'cpu'): string | undefined {
  const ours = textOfFile('/proc/self/cgroup');
  const first = ours
    .split('\n')
    .map((line) => /^\d+:([^:]+):(.*)$/.exec(line))
    .find((found) => found?.[1]?.split(',').includes(controller))?.[2];
  if (first !== undefined) return path.join('/sys/fs/cgroup', controller, first);
  const isCounted = /\bpids\b/.test(textOfFile('/sys/fs/cgroup/cgroup.subtree_control'));
  return controller === 'pids' && isCounted && /^0::\/$/m.test(ours) ? '/sys/fs/cgroup' : undefined;
}

const cleaned = new Set<string>();

/** Removes groups that ended processes left, once per process. A group with a process can't be removed; a new one may get one. */
function removeOld(parent: string): void {
  if (cleaned.has(parent)) return;
  cleaned.add(parent);
  const isOld = (group: string) => tryOr(() => statSync(group).mtimeMs, Infinity) < oldMs;
  const oldMs = Date.now() - MIN_AGE_MS;
  const groups = tryOr(() => readdirSync(parent), []).filter((name) => name.startsWith(PREFIX));
  for (const group of groups.map((name) => path.join(parent, name)).filter(isOld)) remove(group);
}

/** One that is not empty yet is removed by a later process. */
const remove = (group: string): void => tryOr(() => rmdirSync(group), undefined);
