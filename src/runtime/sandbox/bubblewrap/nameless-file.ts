import { openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../platform/files/temporary-folder.ts';

/** In memory, because freeing the space of a file on a disk is slow. */
export const MEMORY_FOLDER = '/dev/shm';

/**
 * Writes bytes to an unnamed file, so that nobody can replace them.
 *
 * @returns A descriptor at the beginning of the bytes; its caller closes it.
 */
export function namelessFile(bytes: Buffer): number {
  const folder = makeFolder();
  const path = join(folder, 'file');
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  rmdirSync(folder);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  return fd;
}

function makeFolder(): string {
  try {
    return makeTemporaryFolder('nameless', MEMORY_FOLDER);
  } catch {
    return makeTemporaryFolder('nameless');
  }
}
