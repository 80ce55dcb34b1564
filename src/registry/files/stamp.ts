import { lstatSync, readdirSync, statSync } from 'node:fs';
import { tryOr } from '../../platform/try-or.ts';

/** Files that change while capsules run. */
const passedOver = new Set(['logs', 'memory.db', 'memory.db-wal', 'memory.db-shm']);

/**
 * A text that changes when anything in some folders may have changed: the names, sizes and times of all files. A missing
 * folder counts as empty. Every run takes one, so each file is looked at once.
 *
 * @param isPassedOver Names to ignore, besides memory and logs. Default: none.
 */
export function stampOf(
  dirs: readonly string[],
  isPassedOver: (name: string) => boolean = () => false,
): string {
  const rowsIn = (dir: string): string[] =>
    tryOr(() => readdirSync(dir), [])
      .filter((name) => !passedOver.has(name) && !isPassedOver(name))
      .flatMap((name) => {
        const path = `${dir}/${name}`;
        const own = tryOr(() => lstatSync(path), undefined);
        if (own?.isDirectory()) return rowsIn(path);
        const facts = own?.isSymbolicLink() ? tryOr(() => statSync(path), undefined) : own;
        return `${path} ${facts ? `${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}` : 'missing'}`;
      });
  return dirs.flatMap(rowsIn).join('\n');
}

/** The file of one row of a stamp. */
export const pathOfRow = (row: string): string =>
  row.replace(/ (?:missing|[\d.e+]+ [\d.e+]+ [\d.e+]+)$/, '');
