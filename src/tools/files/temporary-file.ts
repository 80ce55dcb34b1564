import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../platform/try-or.ts';

/** A name for a file that replaces another one when it is complete. It contains the id of this process. */
export const temporaryName = (): string =>
  `.capstan-${process.pid}-${randomBytes(8).toString('hex')}.tmp`;

/** Removes the temporary files of a dead process from a folder. Files that can't be removed stay. */
export function removeAbandoned(folder: string, pid: number): void {
  for (const name of tryOr(() => readdirSync(folder), [])) {
    const isLeft = name.startsWith(`.capstan-${pid}-`) && name.endsWith('.tmp');
    if (isLeft) tryOr(() => rmSync(join(folder, name), { force: true }), undefined);
  }
}
