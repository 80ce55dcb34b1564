import { readlinkSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { bootId } from '../../../platform/process-mark.ts';
import { textOf, tryOr } from '../../../platform/try-or.ts';
import { findLinuxPrograms } from './programs.ts';

/** To be incremented when the guarantees of a level change: invalidates the results of older versions. */
const PROMISES = 4;

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
    bootId(),
    release(),
    [bwrap, prlimit, python3].map(stampOf),
    // Another container may share the same folders.
    ['user', 'mnt'].map((name) => tryOr(() => readlinkSync(`/proc/self/ns/${name}`), '')),
    settings.map((path) => textOf(path).trim()),
    process.getuid?.(),
    process.execPath,
    process.version,
  ]);
}

/** Identifies the version of a program, without starting it. */
function stampOf(path: string | undefined): readonly unknown[] | undefined {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats && [path, stats.size, stats.mtimeMs, stats.mode];
}
