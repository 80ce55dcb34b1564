import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Longest first line that the kernel looks at, in bytes. */
const MAX_BYTES = 256;

/** The first line of a file; nothing where there is none. */
export function firstLineOf(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (!fstatSync(fd).isFile()) return '';
    const bytes = Buffer.alloc(MAX_BYTES);
    return (
      bytes.toString('latin1', 0, readSync(fd, bytes, 0, MAX_BYTES, 0)).split('\n', 1)[0] ?? ''
    );
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
