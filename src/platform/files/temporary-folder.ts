import { constants, mkdtempSync, readdirSync, type Stats } from 'node:fs';
import { open, opendir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../once.ts';
import { hasProcess, processPlace, startTick } from '../process-mark.ts';
import { tryOr } from '../try-or.ts';

/**
 * Creates a temporary folder with mode 0700. Its name identifies this process, so that a later process can see that it
 * is abandoned: `capstan-call-0a1b2c3d4e-1234-5678-Xy12ab`.
 *
 * @param purpose One lower-case word.
 * @param within Default: the system's temporary folder.
 */
export const makeTemporaryFolder = (purpose: string, within: string = tmpdir()): string =>
  mkdtempSync(join(within, `capstan-${purpose}-${ownMark()}-`));

const ownMark = once(() => `${processPlace()}-${process.pid}-${startTick(process.pid)}`);

const temporaryName = /^capstan-([a-z]{1,20})-([0-9a-f]{10}|-)-(\d{1,10})-(\d+|-)-[A-Za-z0-9]{6}$/;

/** How long to keep folders with files moved out of a workspace, and folders that another machine may still use. */
const KEEP_MS = 7 * 24 * 3_600_000;

const MAX_NAMES = 50_000;

/**
 * Removes the temporary folders of processes that no longer exist. Folders with files moved out of a workspace, and those
 * of another boot, machine or PID namespace, stay for a week. Folders of other users, and entries that can't be removed, stay.
 * Never throws. Does nothing except on Linux, because the start time of a process is needed.
 *
 * @param within Folders to search, without their subfolders.
 */
export async function removeAbandonedFolders(within: readonly string[]): Promise<void> {
  if (processPlace() === '-') return;
  for (const folder of new Set(within)) {
    for (const name of leftIn(folder)) await removeLeft(folder, name);
  }
}

/** Synchronous, because an asynchronous call takes longer than the search. */
const leftIn = (folder: string): readonly string[] =>
  tryOr(() => readdirSync(folder), [])
    .slice(0, MAX_NAMES)
    .filter(isLeft);

function isLeft(name: string): boolean {
  const [, , place, id, tick] = temporaryName.exec(name) ?? [];
  if (id === undefined || place === '-' || tick === '-') return false;
  if (place !== processPlace()) return true;
  const pid = Number(id);
  return !hasProcess(pid) || !['-', tick].includes(startTick(pid));
}

async function removeLeft(folder: string, name: string): Promise<void> {
  const [, purpose, place] = temporaryName.exec(name) ?? [];
  const keepMs = purpose === 'taken' || place !== processPlace() ? KEEP_MS : 0;
  await inFolder(join(folder, name), async (at, { uid, mtimeMs }) => {
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < keepMs) return;
    await empty(at, { left: MAX_NAMES, depth: 100 });
    await rmdir(join(folder, name));
  });
}

/**
 * Opens each folder without following links and removes its entries through that handle, so nothing outside is touched.
 * `left` entries may still be removed, from folders of this `depth`.
 */
async function empty(at: string, limits: { left: number; readonly depth: number }): Promise<void> {
  for await (const entry of await opendir(at)) {
    const path = join(at, entry.name);
    limits.left -= 1;
    if (limits.left < 0) return;
    if (!entry.isDirectory()) {
      await unlink(path);
      continue;
    }
    if (limits.depth === 0) return;
    const below = { left: limits.left, depth: limits.depth - 1 };
    await inFolder(path, (inside) => empty(inside, below));
    limits.left = below.left;
    await rmdir(path);
  }
}

/** Opens a folder that is not a link, and passes a path to it that stays valid if the folder is renamed. */
async function inFolder(
  path: string,
  use: (at: string, facts: Stats) => Promise<void>,
): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    await using folder = await open(path, flags);
    await use(`/proc/self/fd/${folder.fd}`, await folder.stat());
  } catch {
    // Already removed, or not removable.
  }
}
