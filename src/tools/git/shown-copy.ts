import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../define/call.ts';
import { hideGitCredentials } from './hide-credentials.ts';

/** Longer files are not examined, in bytes. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * The content of a file of Git configuration without its credentials, which tools see in place of the file.
 *
 * @param fd An open regular file.
 * @returns Undefined if it has no credentials, so that tools see it unchanged; `unreadable` if it is too long.
 */
export function shownCopy(fd: number): Buffer | 'unreadable' | undefined {
  const { size } = fstatSync(fd);
  if (size === 0) return undefined;
  if (size > MAX_CONFIG_BYTES) return 'unreadable';
  const content = Buffer.alloc(size);
  const bytes = content.subarray(0, readSync(fd, content, 0, size, 0));
  // One character for each byte: whatever the encoding is, the rest stays as it is.
  const text = bytes.toString('latin1');
  const shown = hideGitCredentials(text);
  return shown === text ? undefined : Buffer.from(shown, 'latin1');
}

/** The same of a path, which may be anything; undefined also where there is nothing. */
export function copyAt(path: string): Buffer | 'unreadable' | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return fstatSync(fd).isFile() ? shownCopy(fd) : undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : 'unreadable';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
