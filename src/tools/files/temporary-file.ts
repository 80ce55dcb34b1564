import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A name for a file that replaces another one when it is complete. It contains the id of this process. */
export const temporaryName = (): string =>
  `.capstan-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;

/** Removes the temporary files of a dead process from a folder. Files that can't be removed stay. */
export function removeLeftBehind(folder: string, pid: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const isLeft = name.startsWith(`.capstan-${pid}-`) && name.endsWith('.tmp');
      if (isLeft) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The folder is gone, or this user may not change it.
  }
}
