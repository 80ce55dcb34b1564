import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { findLinuxPrograms } from './programs.ts';

/** To be incremented when the guarantees of a level change: invalidates the results of older versions. */
const PROMISES = 3;

/** Kernel settings that enable bubblewrap without a reboot. */
const settings = [
  '/proc/sys/user/max_user_namespaces',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
];

/** Everything that the isolation level depends on, as one text: the cache key. */
export function circumstances(): string {
  const { bwrap, prlimit, python3 } = findLinuxPrograms();
  return JSON.stringify([
    PROMISES,
    read('/proc/sys/kernel/random/boot_id'),
    release(),
    [bwrap, prlimit, python3].map(stampOf),
    // Another container may share the same folders.
    ['user', 'mnt'].map((name) => link(`/proc/self/ns/${name}`)),
    settings.map(read),
    process.getuid?.(),
    process.execPath,
    process.version,
  ]);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Identifies the version of a program, without starting it. */
function stampOf(path: string | undefined): readonly unknown[] | undefined {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats && [path, stats.size, stats.mtimeMs, stats.mode];
}
