import { readStart, startOf } from '../../platform/files/plain-file.ts';
import { codeOf } from '../../platform/try-or.ts';
import { hideGitCredentials } from './hide-credentials.ts';

/** Longer files are not examined, in bytes. */
const MAX_CONFIG_BYTES = 1024 * 1024;

type Shown = Buffer | 'unreadable' | undefined;

/**
 * The content of a file of Git configuration without its credentials, which tools see in place of the file.
 *
 * @param fd An open regular file.
 * @returns Undefined if it has no credentials, so that tools see it unchanged; `unreadable` if it is too long.
 */
export const shownCopy = (fd: number): Shown => shownOf(startOf(fd, MAX_CONFIG_BYTES + 1));

/** The same of a path, which may be anything; undefined also where there is nothing. */
export function copyAt(path: string): Shown {
  try {
    const content = readStart(path, MAX_CONFIG_BYTES + 1);
    return content && shownOf(content);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : 'unreadable';
  }
}

function shownOf(content: Buffer): Shown {
  if (content.length > MAX_CONFIG_BYTES) return 'unreadable';
  // One character for each byte: whatever the encoding is, the rest stays as it is.
  const text = content.toString('latin1');
  const shown = hideGitCredentials(text);
  return shown === text ? undefined : Buffer.from(shown, 'latin1');
}
