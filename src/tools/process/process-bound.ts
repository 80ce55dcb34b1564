import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../../runtime/process-tree.ts';

/** Processes and threads that one call may have at once, its sandbox included. */
const MAX_TASKS = 512;
const PREFIX = 'capstan-call-';
/** Longest wait for killed processes to be gone, in milliseconds. One that the kernel does not let go stays behind. */
const MAX_END_MS = 1_000;
const EVERY_MS = 5;
/** Age from which an empty group is one that was left behind, in milliseconds. */
const MIN_AGE_MS = 60_000;

/** The control group that a call of root has for itself. */
export interface CallGroup {
  /** All processes of the call, wherever they went. */
  pids(): readonly number[];
  /** Kills them all, also while they start others, and removes the group. */
  end(): Promise<void>;
}

export interface Bounded<Child> {
  readonly child: Child;
  /** Undefined if there can be none. */
  readonly group: CallGroup | undefined;
}

/**
 * Starts a process in a control group of its own (cgroups(7)), so that the kernel bounds how many processes it and all
 * below it may have (`pids.max`), and gives all of them together no more processor time than this process. Only root needs
 * it: a resource limit bounds the processes of anybody else. If no group can be created, nothing is bounded here, and the
 * watch over the call ends what is too much.
 *
 * This process joins the group while it starts the child, so the child is in it from its first instruction on.
 *
 * @param start Synchronous.
 */
export function startBounded<Child>(start: () => Child, most = MAX_TASKS): Bounded<Child> {
  const name = `${PREFIX}${randomUUID()}`;
  const pids = joinGroup('pids', name, most);
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

/** This process, out of the groups; false if it is still in one. */
const leave = (groups: readonly Joined[]): boolean =>
  groups.filter(({ parent }) => !join(parent)).length === 0;

interface Joined {
  readonly parent: string;
  readonly folder: string;
}

/** Undefined if there can be no such group, for example in a container with read-only groups. */
function joinGroup(controller: 'pids' | 'cpu', name: string, most?: number): Joined | undefined {
  const parent = process.getuid?.() === 0 ? groupsFolder(controller) : undefined;
  if (parent === undefined) return undefined;
  removeOld(parent);
  const folder = path.join(parent, name);
  try {
    mkdirSync(folder);
    if (most !== undefined) writeFileSync(path.join(folder, 'pids.max'), String(most));
  } catch {
    return undefined;
  }
  if (join(folder)) return { parent, folder };
  remove(folder);
  return undefined;
}

function callGroup(groups: readonly Joined[], counted: string): CallGroup {
  const pids = () =>
    textOf(path.join(counted, 'cgroup.procs'))
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  const end = async () => {
    // None is born any more: one look finds all. In a group that this process could not leave, that would stop it, too.
    if (leave(groups)) write(path.join(counted, 'pids.max'), '0');
    const endMs = performance.now() + MAX_END_MS;
    for (let left = pids(); left.length > 0 && performance.now() < endMs; left = pids()) {
      for (const pid of left) kill(pid);
      await sleep(EVERY_MS);
    }
    for (const { folder } of groups) remove(folder);
  };
  return { pids, end };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

const join = (folder: string): boolean =>
  write(path.join(folder, 'cgroup.procs'), String(process.pid));

function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}

/** Where such groups can be made below our own: version 1, or 2 where we are at its root, which has all controllers in one. */
function groupsFolder(controller: 'pids' | 'cpu'): string | undefined {
  const ours = textOf('/proc/self/cgroup');
  const first = ours
    .split('\n')
    .map((line) => /^\d+:([^:]+):(.*)$/.exec(line))
    .find((found) => found?.[1]?.split(',').includes(controller))?.[2];
  if (first !== undefined) return path.join('/sys/fs/cgroup', controller, first);
  const isCounted = /\bpids\b/.test(textOf('/sys/fs/cgroup/cgroup.subtree_control'));
  return controller === 'pids' && isCounted && /^0::\/$/m.test(ours) ? '/sys/fs/cgroup' : undefined;
}

const cleaned = new Set<string>();

/** Once per process, what ended processes left. A group that holds a process can't be removed; one that is new may get one. */
function removeOld(parent: string): void {
  if (cleaned.has(parent)) return;
  cleaned.add(parent);
  const isOld = (group: string) => statSync(group).mtimeMs < Date.now() - MIN_AGE_MS;
  try {
    const groups = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
    for (const group of groups.map((name) => path.join(parent, name)).filter(isOld)) remove(group);
  } catch {
    // There is no such folder.
  }
}

function remove(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Not empty yet: a later process removes it.
  }
}
