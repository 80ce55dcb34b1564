import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../runtime/process-tree.ts';

/** Processes and threads that one call may have at once, its sandbox included. */
const MAX_TASKS = 512;
const PREFIX = 'capstan-call-';

/**
 * Has the kernel bound the number of processes that a process and all below it may have, by a control group (cgroups(7),
 * `pids.max`). It is needed for root alone: anybody else's number is bounded by a resource limit. Where no group can be made,
 * nothing is bounded here, and the watch over the call has to do.
 *
 * @returns What removes the group, once its processes are gone.
 */
export function boundProcesses(pid: number, most = MAX_TASKS): () => void {
  const parent = process.getuid?.() === 0 ? groupsFolder() : undefined;
  if (parent === undefined) return () => {};
  removeEmpty(parent);
  const group = join(parent, `${PREFIX}${pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'pids.max'), String(most));
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch {
    // Somebody else's machine to bound: read-only groups of a container, say.
  }
  return () => remove(group);
}

/** Where groups that count processes can be made below our own: version 1, or 2 where we are at its root. */
function groupsFolder(): string | undefined {
  const ours = textOf('/proc/self/cgroup');
  const first = /^\d+:(?:[^:\n]*,)?pids(?:,[^:\n]*)?:(.*)$/m.exec(ours)?.[1];
  if (first !== undefined) return join('/sys/fs/cgroup/pids', first);
  const isCounted = /\bpids\b/.test(textOf('/sys/fs/cgroup/cgroup.subtree_control'));
  return isCounted && /^0::\/$/m.test(ours) ? '/sys/fs/cgroup' : undefined;
}

/** A group that holds a process can't be removed: those of calls that are under way stay. */
function removeEmpty(parent: string): void {
  try {
    for (const name of readdirSync(parent)) if (name.startsWith(PREFIX)) remove(join(parent, name));
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
