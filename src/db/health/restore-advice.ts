import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tryOr } from '../../platform/try-or.ts';

/** How to restore a lost database: one or two sentences. Nothing is restored automatically. */
export function restoreAdvice(path: string): string {
  const name = basename(path);
  const backup = newestBackup(path);
  const source = backup === undefined ? 'your backup' : `${backup}, made before an upgrade,`;
  return `To restore it, move ${name}, ${name}-wal and ${name}-shm out of ${dirname(path)} and copy ${source} to ${path}; the logs of runs in ${join(dirname(path), 'runs')} are not affected. To start over, move that folder away, or set CAPSTAN_HOME to another one.`;
}

/** Whether files beside the database show that it had content: backups, or logs of runs. */
export const hasTracesOfContent = (path: string): boolean =>
  newestBackup(path) !== undefined ||
  namesIn(join(dirname(path), 'runs')).some((name) => name.endsWith('.jsonl'));

/** The copy that the latest upgrade made: `capstan.db.v8.backup`. */
function newestBackup(path: string): string | undefined {
  const prefix = `${basename(path)}.v`;
  const versions = namesIn(dirname(path))
    .filter((name) => name.startsWith(prefix) && name.endsWith('.backup'))
    .map((name) => Number.parseInt(name.slice(prefix.length), 10));
  return versions.length === 0 ? undefined : `${path}.v${Math.max(...versions)}.backup`;
}

const namesIn = (folder: string): readonly string[] => tryOr(() => readdirSync(folder), []);
