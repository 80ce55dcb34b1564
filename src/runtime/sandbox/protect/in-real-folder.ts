import { closeSync, constants, openSync, readlinkSync } from 'node:fs';

/** O_PATH (asm-generic/fcntl.h) of Linux: opens a folder without permission to read or list it. */
const PATH_ALONE = 0o10000000;

/**
 * Opens a folder, and passes a path that leads to it even if it is replaced by a link. Below level A, a process
 * that emptied its environment may outlive its call; another Capstan may run a command in the same workspace. Linux only.
 *
 * @param folder Absolute, without symbolic links.
 * @throws Error if a part of the path is a link.
 */
export function inRealFolder<T>(folder: string, use: (at: string) => T): T {
  const fd = openSync(folder, PATH_ALONE | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const at = `/proc/self/fd/${fd}`;
    if (readlinkSync(at) !== folder) throw new Error('its folder was replaced');
    return use(at);
  } finally {
    closeSync(fd);
  }
}
