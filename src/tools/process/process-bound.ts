import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from '../../runtime/process-tree.ts';

/** Processes and threads that one call may have at once, its sandbox included. */
const MAX_TASKS = 512;
const PREFIX = 'capstan-call-';

/**
 * Starts a process so that the kernel bounds how many processes it and all below it may have, with a control group
 * (cgroups(7), `pids.max`). Only root needs it: a resource limit bounds the processes of anybody else. If no group can be
 * created, the number is not bounded here, and the watch over the call ends what is too much.
 *
 * This process joins the group while it starts the child, so the child is in it from its first instruction on.
 *
 * @param start Synchronous.
 * @returns The child, and what removes the group once its processes are gone.
 */
export function startBounded<Child>(
  start: () => Child,
  most = MAX_TASKS,
): { readonly child: Child; readonly unbound: () => void } {
  const parent = process.getuid?.() === 0 ? groupsFolder() : undefined;
  const group = parent && createGroup(parent, most);
  if (!parent || !group) return { child: start(), unbound: () => {} };
  try {
    join(group);
    return { child: start(), unbound: () => remove(group) };
  } finally {
    join(parent);
  }
}

/** Undefined if it can't be created, for example in a container with read-only groups. */
function createGroup(parent: string, most: number): string | undefined {
  removeEmpty(parent);
  const group = path.join(parent, `${PREFIX}${randomUUID()}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'pids.max'), String(most));
    return group;
  } catch {
    return undefined;
  }
}

function join(group: string): void {
  try {
    writeFileSync(path.join(group, 'cgroup.procs'), String(process.pid));
  } catch {
    // Nothing is bounded then.
  }
}

/** Where groups that count processes can be made below our own: version 1, or 2 where we are at its root. */
function groupsFolder(): string | undefined {
  const ours = textOf('/proc/self/cgroup');
  const first = /^\d+:(?:[^:\n]*,)?pids(?:,[^:\n]*)?:(.*)$/m.exec(ours)?.[1];
  if (first !== undefined) return path.join('/sys/fs/cgroup/pids', first);
  const isCounted = /\bpids\b/.test(textOf('/sys/fs/cgroup/cgroup.subtree_control'));
  return isCounted && /^0::\/$/m.test(ours) ? '/sys/fs/cgroup' : undefined;
}

/** A group that holds a process can't be removed: those of calls that are under way stay. */
function removeEmpty(parent: string): void {
  try {
    for (const name of readdirSync(parent))
      if (name.startsWith(PREFIX)) remove(path.join(parent, name));
  } catch {
    // There is no such folder.
  }
}

function remove(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // Not empty yet: the next call removes it.
  }
}
