import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Name of a file that takes another's place once it is whole; it says which process makes it. */
export const temporaryName = (): string =>
  `.capstan-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;

/** Removes what a process that died left half written in a folder. What can't be removed stays. */
export function removeLeftBehind(folder: string, pid: number): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`.capstan-${pid}-`) || !name.endsWith('.tmp')) continue;
    try {
      rmSync(join(folder, name));
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
