import { constants, mkdtempSync, readdirSync, type Stats } from 'node:fs';
import { open, opendir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProcess, processPlace, startTick } from './process-mark.ts';

/**
 * Makes a folder for its owner alone, whose name says which process that is, so that it is known later for one that
 * nobody needs any more: `capstan-call-0a1b2c3d4e-1234-5678-Xy12ab`.
 *
 * @param purpose One word of small letters.
 * @param within Default: the system's temporary folder.
 */
export const makeTemporaryFolder = (purpose: string, within: string = tmpdir()): string =>
  mkdtempSync(join(within, `capstan-${purpose}-${ownMark()}-`));

let mark: string | undefined;

function ownMark(): string {
  mark ??= `${processPlace()}-${process.pid}-${startTick(process.pid)}`;
  return mark;
}

const temporaryName = /^capstan-([a-z]{1,20})-([0-9a-f]{10}|-)-(\d{1,10})-(\d+|-)-[A-Za-z0-9]{6}$/;

/** For what may be wanted back, and for what another machine that has the folder, too, may still use. */
const KEPT_MS = 7 * 24 * 3_600_000;

const MOST_NAMES = 50_000;

/**
 * Removes the temporary folders of processes that are gone, such as were killed. What was taken out of a workspace stays
 * for a week, and so do those of another boot, machine or namespace of process ids, where nobody can look. Those of other
 * users stay, and what can't be removed; never throws. Linux only: elsewhere nothing says when a process began.
 *
 * @param within Folders to look in, not below.
 */
export async function removeLeftFolders(within: readonly string[]): Promise<void> {
  if (processPlace() === '-') return;
  for (const folder of new Set(within)) {
    for (const name of leftIn(folder)) await removeLeft(folder, name);
  }
}

/** At once: most often there is none, and to have another thread look takes longer than to look. */
function leftIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES).filter(isLeft);
  } catch {
    // Not there, or not ours to look at.
    return [];
  }
}

function isLeft(name: string): boolean {
  const [, , place, id, tick] = temporaryName.exec(name) ?? [];
  if (id === undefined || place === '-' || tick === '-') return false;
  if (place !== processPlace()) return true;
  const pid = Number(id);
  return !hasProcess(pid) || !['-', tick].includes(startTick(pid));
}

async function removeLeft(folder: string, name: string): Promise<void> {
  const [, purpose, place] = temporaryName.exec(name) ?? [];
  const keptMs = purpose === 'taken' || place !== processPlace() ? KEPT_MS : 0;
  await inFolder(join(folder, name), async (at, { uid, mtimeMs }) => {
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < keptMs) return;
    await empty(at, { left: MOST_NAMES, depth: 100 });
    await rmdir(join(folder, name));
  });
}

interface Bounds {
  /** Names that may still be removed. */
  left: number;
  /** Folders in folders. */
  readonly depth: number;
}

/** Each folder is opened without following a link, and what it holds is removed by way of that: nothing outside is met. */
async function empty(at: string, bounds: Bounds): Promise<void> {
  for await (const entry of await opendir(at)) {
    const path = join(at, entry.name);
    bounds.left -= 1;
    if (bounds.left < 0) return;
    if (!entry.isDirectory()) {
      await unlink(path);
      continue;
    }
    if (bounds.depth === 0) return;
    const below = { left: bounds.left, depth: bounds.depth - 1 };
    await inFolder(path, (inside) => empty(inside, below));
    bounds.left = below.left;
    await rmdir(path);
  }
}

/** Opens a folder that is no link, and gives a path that leads to it whatever its name becomes. */
async function inFolder(
  path: string,
  use: (at: string, facts: Stats) => Promise<void>,
): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    await using folder = await open(path, flags);
    await use(`/proc/self/fd/${folder.fd}`, await folder.stat());
  } catch {
    // Gone meanwhile, or not ours to remove.
  }
}
