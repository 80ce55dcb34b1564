import { setTimeout as pause } from 'node:timers/promises';
import { pathOfRow, stampOf } from '../registry/files/stamp.ts';

const POLL_MS = 50;

/** Number of polls to wait for a save of several writes to end. */
const MAX_POLLS = 20;

/** Files that editors create beside an open file: locks, swap files, backups. */
const editorFiles = /^(?:\.#.*|#.*#|.*~|\..*\.sw[a-z]|4913)$/;

/**
 * Resolves with the saved files, each relative to its folder, when some are saved; with undefined when the signal is
 * aborted.
 */
export type NextSave = (
  signal: AbortSignal,
  /** Whether a program runs that may write into the folders. Default: no. */
  isRunning?: () => boolean,
) => Promise<readonly string[] | undefined>;

/**
 * Watches folders by polling names, sizes and times of their files. The folders need not exist yet. A save counts once
 * two polls in a row are equal, since many editors write more than once.
 *
 * @param isAuthored Whether a file counts while a program runs: others may be its own.
 */
export function watchFolders(
  folders: readonly string[],
  isAuthored: (path: string) => boolean = () => true,
): NextSave {
  const stampNow = () => stampOf(folders, (name) => editorFiles.test(name));
  let seen = stampNow();
  const poll = async (signal: AbortSignal) => {
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    return stampNow();
  };
  return async (signal, isRunning = () => false) => {
    // As of the poll before: the last writes of a program are seen after its end.
    let wasRunning = isRunning();
    let stamp = stampNow();
    const savedFiles = () =>
      changedFiles(seen, stamp, folders).filter((path) => !wasRunning || isAuthored(path));
    while (savedFiles().length === 0 && !signal.aborted) {
      seen = stamp;
      wasRunning = isRunning();
      stamp = await poll(signal);
    }
    for (let polls = 0; polls < MAX_POLLS && !signal.aborted; polls++) {
      const next = await poll(signal);
      if (next === stamp) break;
      stamp = next;
    }
    const saved = savedFiles();
    seen = stamp;
    return signal.aborted ? undefined : saved;
  };
}

/** The files whose rows differ in two stamps, each relative to its folder. */
function changedFiles(before: string, after: string, folders: readonly string[]): string[] {
  if (before === after) return [];
  const old = new Set(before.split('\n'));
  const now = new Set(after.split('\n'));
  const rows = [...old, ...now].filter((row) => row !== '' && old.has(row) !== now.has(row));
  const paths = rows.map(pathOfRow).map((path) => {
    const folder = folders.find((one) => path.startsWith(`${one}/`));
    return folder === undefined ? path : path.slice(folder.length + 1);
  });
  return [...new Set(paths)];
}
