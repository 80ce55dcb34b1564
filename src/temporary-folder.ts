import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProcess, pidNamespace, startTick } from './process-mark.ts';

/**
 * Makes a folder for its owner alone, whose name says which process that is, so that it is known later for one that
 * nobody needs any more: `capstan-call-4026531836-1234-5678-Xy12ab`.
 *
 * @param purpose One word of small letters.
 * @param within Default: the system's temporary folder.
 */
export const makeTemporaryFolder = (purpose: string, within: string = tmpdir()): string =>
  mkdtempSync(join(within, `capstan-${purpose}-${ownMark()}-`));

let mark: string | undefined;

function ownMark(): string {
  mark ??= `${pidNamespace()}-${process.pid}-${startTick(process.pid)}`;
  return mark;
}

const temporaryName = /^capstan-([a-z]{1,20})-(\d+|-)-(\d{1,10})-(\d+|-)-[A-Za-z0-9]{6}$/;

/** What was taken out of a workspace may be wanted back: it stays for a week. */
const KEPT_MS: ReadonlyMap<string, number> = new Map([['taken', 7 * 24 * 3_600_000]]);

const MOST_NAMES = 50_000;

/**
 * Removes the temporary folders of processes that are gone, such as were killed. Those of other users and of other
 * namespaces of process ids stay, and so does what can't be removed; never throws. Linux only: elsewhere nothing says
 * when a process began.
 *
 * @param within Folders to look in, not below.
 */
export async function removeLeftFolders(within: readonly string[]): Promise<void> {
  for (const folder of new Set(within)) {
    for (const name of await leftIn(folder)) removeLeft(folder, name);
  }
}

async function leftIn(folder: string): Promise<readonly string[]> {
  const left: string[] = [];
  try {
    let seen = 0;
    for await (const { name } of await opendir(folder)) {
      if (isLeft(name)) left.push(name);
      seen += 1;
      if (seen === MOST_NAMES) break;
    }
  } catch {
    // Not there, or not ours to look at.
  }
  return left;
}

function isLeft(name: string): boolean {
  const [, , place, id, tick] = temporaryName.exec(name) ?? [];
  if (id === undefined || place !== pidNamespace() || tick === '-') return false;
  const pid = Number(id);
  return !hasProcess(pid) || !['-', tick].includes(startTick(pid));
}

function removeLeft(folder: string, name: string): void {
  const [, purpose = ''] = temporaryName.exec(name) ?? [];
  inFolder(join(folder, name), (at, { uid, mtimeMs }) => {
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < (KEPT_MS.get(purpose) ?? 0)) return;
    empty(at, { left: MOST_NAMES, depth: 100 });
    rmdirSync(join(folder, name));
  });
}

interface Bounds {
  /** Names that may still be removed. */
  left: number;
  /** Folders in folders. */
  readonly depth: number;
}

/** Each folder is opened without following a link, and what it holds is removed by way of that: nothing outside is met. */
function empty(at: string, bounds: Bounds): void {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    bounds.left -= 1;
    if (bounds.left < 0) return;
    if (!entry.isDirectory()) {
      unlinkSync(path);
      continue;
    }
    if (bounds.depth === 0) return;
    const below = { left: bounds.left, depth: bounds.depth - 1 };
    inFolder(path, (inside) => empty(inside, below));
    bounds.left = below.left;
    rmdirSync(path);
  }
}

/** Opens a folder that is no link, and gives a path that leads to it whatever its name becomes. */
function inFolder(path: string, use: (at: string, facts: Stats) => void) {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let fd: number | undefined;
  try {
    fd = openSync(path, flags);
    use(`/proc/self/fd/${fd}`, fstatSync(fd));
  } catch {
    // Gone meanwhile, or not ours to remove.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
