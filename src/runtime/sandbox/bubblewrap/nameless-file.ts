import { openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../platform/temporary-folder.ts';

/** In memory: to give back the space of a file on a disk takes longer than all else here. */
export const MEMORY_FOLDER = '/dev/shm';

/**
 * Writes bytes to a file without a name, so that nobody can exchange them.
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
