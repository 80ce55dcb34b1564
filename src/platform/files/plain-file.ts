import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { tryOr } from '../try-or.ts';

/** The first bytes of an open regular file. */
export function startOf(fd: number, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, maxBytes));
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
}

/**
 * The first bytes of a regular file. Opens first and then checks: neither a link nor a pipe is read in its place.
 *
 * @returns Undefined if it is something else.
 * @throws Error of the file system.
 */
export function readStart(path: string, maxBytes: number): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return fstatSync(fd).isFile() ? startOf(fd, maxBytes) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a regular file; undefined if it is anything else, too long or unreadable. */
export function readPlainFile(path: string, maxBytes: number): Buffer | undefined {
  const bytes = tryOr(() => readStart(path, maxBytes + 1), undefined);
  return bytes && bytes.length <= maxBytes ? bytes : undefined;
}
