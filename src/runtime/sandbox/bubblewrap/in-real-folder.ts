import { closeSync, constants, openSync, readlinkSync } from 'node:fs';

/** O_PATH (asm-generic/fcntl.h) of Linux: opens what may be neither read nor listed. */
const PATH_ALONE = 0o10000000;

/**
 * Opens a folder, and passes on a path that leads to it even if a link takes its place meanwhile. Below level A, a process
 * that emptied its environment may outlive its call; another Capstan may run a command in the same workspace. Linux only.
 *
 * @param folder Absolute, without symbolic links.
 * @throws Error where a link is in its place, or on its way.
 */
export function inRealFolder<T>(folder: string, use: (at: string) => T): T {
  const fd = openSync(folder, PATH_ALONE | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const at = `/proc/self/fd/${fd}`;
    if (readlinkSync(at) !== folder) throw new Error('its folder was exchanged');
    return use(at);
  } finally {
    closeSync(fd);
  }
}
