import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tryOr } from '../../../platform/try-or.ts';
import { createYielder, type Yielder } from '../../../runtime/sandbox/create-yielder.ts';
import {
  areFew,
  type IgnoreFile,
  isIgnored,
  readIgnoreFile,
} from '../../../tools/file-io/walk/ignore-rules.ts';

/** Which files a workspace has and when they changed, without their content. */
export interface Snapshot {
  /** By path, absolute. See `isOddName`. */
  readonly files: ReadonlyMap<string, Stamp>;
  /** Files and folders that were skipped because of ignore rules, and each `node_modules`. */
  readonly ignored: readonly string[];
  /** Folders that were not listed, or only in part, when the time or file limit was reached. */
  readonly left: ReadonlySet<string>;
  /** Milliseconds since the epoch, slightly before the current time, since file times are coarser. */
  readonly takenMs: number;
}

/** Equal if the file did not change. */
type Stamp = string;

export interface SnapshotOptions {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  isProtected(path: string, access: 'read' | 'write'): boolean;
  /** Files, and ignored paths. Default: 20,000. */
  readonly maxFiles?: number;
  /** Default: 2,000. */
  readonly maxMs?: number;
  /** Whether ignored files, `.git` and `node_modules` are included. Default: false. */
  readonly everything?: boolean;
}

const MAX_FILES = 20_000;
const MAX_MS = 2_000;
interface Waiting {
  readonly folder: string;
  readonly rules: Rules;
}

/** Undefined: nothing is ignored. */
type Rules = readonly IgnoreFile[] | undefined;

/**
 * Lists the files of a workspace, outer folders first, for up to two seconds. Skips what `.gitignore` and `.ignore`
 * name, `.git`, `node_modules`, protected folders. Links are not followed.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { workspace, maxFiles = MAX_FILES, maxMs = MAX_MS } = options;
  const files = new Map<string, Stamp>();
  const ignored: string[] = [];
  const takenMs = Date.now() - CLOCK_MS;
  const untilMs = performance.now() + maxMs;
  const isFull = () => files.size + ignored.length >= maxFiles || performance.now() > untilMs;
  const waiting: Waiting[] = [{ folder: workspace, rules: options.everything ? undefined : [] }];
  const listing: Listing = { ...options, files, ignored, waiting, isFull, breath: createYielder() };
  const unlisted: string[] = [];
  let at = 0;
  for (let next = waiting[at]; next !== undefined; next = waiting[++at]) {
    if (isFull()) break;
    if (!(await readFolder(next, listing))) unlisted.push(next.folder);
  }
  const left = new Set([...unlisted, ...waiting.slice(at).map(({ folder }) => folder)]);
  return { files, ignored, left, takenMs };
}

const CLOCK_MS = 20;

interface Listing extends Pick<SnapshotOptions, 'isProtected'> {
  readonly files: Map<string, Stamp>;
  readonly ignored: string[];
  /** Folders to list, after those that were. */
  readonly waiting: Waiting[];
  readonly breath: Yielder;
  isFull(): boolean;
}

/** Adds the files of one folder. False if it can't be listed, or a limit was reached. */
async function readFolder({ folder, rules: above }: Waiting, listing: Listing): Promise<boolean> {
  const { files, breath, isFull } = listing;
  const entries = tryOr(() => readdirSync(folder, { withFileTypes: true }), UNREADABLE);
  const rules = withRulesOf(folder, entries, above);
  for (const entry of entries) {
    if (breath.isDue()) await breath.take();
    if (isFull()) return false;
    take(join(folder, entry.name), entry, rules, listing);
  }
  const odd = entries.some(({ name }) => name.includes('\uFFFD')) && stampOfOddNames(folder);
  if (odd) files.set(`${folder}/${ODD}`, odd);
  return entries !== UNREADABLE;
}

/** Adds a file, an ignored path or a folder that is entered. A link counts as a file. */
function take(path: string, entry: Dirent, rules: Rules, listing: Listing): void {
  const isFolder = entry.isDirectory();
  const isIgnoredHere =
    rules && (entry.name === 'node_modules' || isIgnored(path, isFolder, rules));
  if (isIgnoredHere) listing.ignored.push(path);
  else if (isFolder && isEntered(path, rules, listing))
    listing.waiting.push({ folder: path, rules });
  else if (entry.isFile() || entry.isSymbolicLink()) {
    const stamp = stampOf(path);
    if (stamp !== undefined) listing.files.set(path, stamp);
  }
}

const UNREADABLE: readonly Dirent[] = [];

/** A temporary file that has not replaced its target yet. */
const temporary = /^\.capstan-\d+-[0-9a-f]{16}\.tmp$/;

const isEntered = (path: string, rules: Rules, { isProtected }: Listing): boolean =>
  (rules === undefined || basename(path) !== '.git') && !isProtected(path, 'read');

/** The size of the file. */
export const bytesOf = (stamp: Stamp): number => Number(stamp.split(':', 1)[0]);

const changedAtMs = (stamp: Stamp): number => Number(stamp.split(':')[2]);

/** Undefined if the file no longer exists. */
function stampOf(path: string | Buffer): Stamp | undefined {
  if (typeof path === 'string' && temporary.test(basename(path))) return undefined;
  return tryOr(() => {
    const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(path);
    return `${size}:${mtimeMs}:${ctimeMs}:${ino}:${mode}`;
  }, undefined);
}

function withRulesOf(folder: string, entries: readonly Dirent[], above: Rules): Rules {
  if (above === undefined) return undefined;
  const rules = [...above];
  for (const entry of entries) {
    const own = isIgnoreFile(entry.name) && readIgnoreFile(folder, join(folder, entry.name));
    if (own && areFew([...rules, own])) rules.push(own);
  }
  return rules;
}

/** One stamp for all names of a folder that are not UTF-8. */
function stampOfOddNames(folder: string): Stamp {
  const names = tryOr(() => readdirSync(folder, { encoding: 'buffer' }), []);
  const odd = names.filter((name) => !isUtf8(name));
  return odd.map((name) => stampOf(Buffer.concat([Buffer.from(`${folder}/`), name]))).join();
}

/** The path of the names that are not UTF-8. No other path contains this character. */
const ODD = '\0';

/** Whether a path of a snapshot stands for the names in its folder that are not UTF-8. */
export const isOddName = (path: string): boolean => path.endsWith(ODD);

/**
 * The difference between two snapshots of a workspace. `changed` are files of the first that changed or were deleted; if
 * `isWhole` is false, not all files were compared.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot) {
  const isSame = (path: string, stamp: Stamp) => (after.files.get(path) ?? stampOf(path)) === stamp;
  const changed = [...before.files].flatMap(([path, stamp]) => (isSame(path, stamp) ? [] : [path]));
  const appeared = [...after.files].filter(
    ([path]) => !before.files.has(path) && !isIn(before.left, path),
  );
  const hasOtherRules = [...changed, ...appeared.map(([path]) => path)].some(isIgnoreFile);
  const created = appeared.flatMap(([path, stamp]) =>
    hasOtherRules && changedAtMs(stamp) < before.takenMs ? [] : [path],
  );
  return { changed, created, isWhole: before.left.size + after.left.size === 0 };
}

/** If the rules change, an existing file may appear for the first time. */
const isIgnoreFile = (path: string): boolean => /^\.(git)?ignore$/.test(basename(path));

function isIn(folders: ReadonlySet<string>, path: string): boolean {
  if (folders.size === 0) return false;
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (folders.has(at)) return true;
  }
  return false;
}
