import { accessSync, constants } from 'node:fs';
import { bubblewrap } from '../../src/runtime/sandbox/bubblewrap/bubblewrap.ts';
import { findLinuxPrograms } from '../../src/runtime/sandbox/find/programs.ts';
import { landlock } from '../../src/runtime/sandbox/landlock/landlock.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';

const { bwrap, prlimit, python3 } = process.platform === 'linux' ? findLinuxPrograms() : {};

/** Whether this machine supports level A. With `CAPSTAN_NO_SKIPS` (set by `.ci/run`), its tests run, and fail, anyway. */
export const hasBubblewrap =
  process.env['CAPSTAN_NO_SKIPS'] === '1' || (bwrap !== undefined && prlimit !== undefined);

export const hasPrlimit = prlimit !== undefined;
export const hasLandlock = python3 !== undefined && hasPrlimit;

/** Whether this user, root, can create control groups. */
export const hasGroups = (() => {
  try {
    accessSync('/sys/fs/cgroup/pids/cgroup.procs', constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();

/** Level A. */
export function levelA(readable: readonly string[] = []): Sandbox {
  const programs = { bwrap: bwrap ?? 'bwrap is missing', prlimit: prlimit ?? 'prlimit is missing' };
  const made = bubblewrap({ programs, readable });
  if (made === undefined) throw new Error('no filter is known for this processor');
  return made;
}

/** Level B. */
export function levelB(): Sandbox {
  const programs = { python3: python3 ?? 'python3 is missing', prlimit: prlimit ?? '' };
  const made = landlock({ programs, readable: [] });
  if (made === undefined) throw new Error('no filter is known for this processor');
  return made;
}
