import { type Dirent, lstatSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isInside, shownPath } from '../../../platform/files/inside.ts';
import { codeOf, tryOr } from '../../../platform/try-or.ts';
import { createYielder, type Yielder } from '../../../runtime/sandbox/create-yielder.ts';
import { type FileCall, failure, throwIfAborted } from '../../define/call.ts';
import { inFolder, type Opened, openFolder, resolveExisting } from '../../files/paths.ts';
import { globMatcher } from './globs.ts';
import {
  areFew,
  type IgnoreFile,
  isIgnored,
  MAX_RULE_CHARS,
  MAX_RULES,
  readIgnoreFile,
} from './ignore-rules.ts';

export interface Entry {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** `other`: also a file that can't be reached, such as one whose name is not UTF-8. */
  readonly kind: 'file' | 'folder' | 'other';
  /** Size of a file; 0 for anything else. */
  readonly bytes: number;
}

interface WalkOptions {
  readonly recursive: boolean;
  /** Whether `.gitignore` and `.ignore` files are disregarded, and `.git` and `node_modules` entered. */
  readonly everything: boolean;
  /** Called for each entry that such a file excludes, and each `node_modules`, with its absolute path. */
  readonly onIgnored?: (path: string, isFolder: boolean) => void;
  /** Called for each folder that this user may not read, with its absolute path. */
  readonly onUnreadable?: (path: string) => void;
  /** False: files have 0 bytes, which saves a system call for each. Default: true. */
  readonly isSized?: boolean;
  /** 1: only the entries of the start itself. Default: no limit. */
  readonly maxDepth?: number;
  /** Whether all entries of a depth come before deeper ones. Default: each folder is followed by what is in it. */
  readonly isNearestFirst?: boolean;
}

const MAX_ENTRIES = 200_000;
const READ_AT_ONCE = 1_000;
const neverEntered: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * The entries of a folder, sorted by name. A link has the kind of its target if that is in the workspace, and is never
 * followed.
 *
 * @throws AppError `TOOL_FAILED` above 200,000 entries or 2,000 ignore rules for one folder, `CANCELLED`, and as
 *   `openFolder`.
 */
export async function* walk(
  start: string,
  options: WalkOptions,
  call: FileCall,
): AsyncGenerator<Entry> {
  using folder = await openFolder(start, call);
  const ignored = options.recursive && !options.everything;
  const rules = ignored ? await rulesAbove(folder.path, call) : [];
  const later: Below[] = [];
  const own = { seen: { count: 0 }, top: folder.path, yielder: createYielder(), later };
  const walking = { ...options, ...own };
  yield* walkFolder(folder, rules, walking, call);
  for (const below of later) yield* enter(below, walking, call);
}

/** Entries of a tree whose path below `start` matches one of the globs. Default: all. */
export async function* walkMatching(
  start: string,
  globs: readonly string[] | undefined,
  options: WalkOptions,
  call: FileCall,
): AsyncGenerator<Entry> {
  const { workspace } = call.context;
  const folder = shownPath(workspace, resolve(workspace, start));
  const prefix = folder === '.' ? '' : `${folder}/`;
  const matches = globMatcher(globs);
  const fits = (path: string) =>
    matches(path.startsWith(prefix) ? path.slice(prefix.length) : path);
  const onIgnored = (path: string, isFolder: boolean) => {
    if (isFolder || fits(shownPath(workspace, path))) options.onIgnored?.(path, isFolder);
  };
  for await (const entry of walk(start, { ...options, onIgnored }, call))
    if (fits(entry.path)) yield entry;
}

interface Walking extends WalkOptions {
  readonly seen: { count: number };
  /** The folder that depth is counted from, absolute. */
  readonly top: string;
  /** Ignored entries are not yielded to the caller, so the walk itself yields to the event loop. */
  readonly yielder: Yielder;
  /** With `isNearestFirst`: the folders that were found, in order. */
  readonly later: Below[];
}

interface Below {
  /** Absolute. */
  readonly path: string;
  /** The rules of the folders above it. */
  readonly rules: readonly IgnoreFile[];
}

async function* walkFolder(
  folder: Opened,
  above: readonly IgnoreFile[],
  walking: Walking,
  call: FileCall,
): AsyncGenerator<Entry> {
  const { recursive, everything } = walking;
  const rules = recursive && !everything ? withRulesOf(folder, above, call) : above;
  const dirents = await entriesOf(folder, walking, call);
  dirents.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const dirent of dirents) {
    if (walking.yielder.isDue()) await walking.yielder.take();
    throwIfAborted(call);
    const path = join(folder.path, dirent.name);
    if (isIgnored(path, dirent.isDirectory(), rules)) {
      walking.onIgnored?.(path, dirent.isDirectory());
      continue;
    }
    yield describe(folder, dirent, walking, call);
    if (!mayEnter(dirent, path, walking, call)) continue;
    if (walking.isNearestFirst) walking.later.push({ path, rules });
    else yield* enter({ path, rules }, walking, call);
  }
}

async function* enter(
  { path, rules }: Below,
  walking: Walking,
  call: FileCall,
): AsyncGenerator<Entry> {
  using folder = await openFolder(path, call).catch(({ cause }: Error) => {
    if (['EACCES', 'EPERM'].includes(codeOf(cause) ?? '')) walking.onUnreadable?.(path);
    return undefined;
  });
  if (folder?.path === path) yield* walkFolder(folder, rules, walking, call);
}

/** Counts while it reads: a folder may have more entries than fit into memory. */
async function entriesOf(folder: Opened, { seen }: Walking, call: FileCall): Promise<Dirent[]> {
  const found: Dirent[] = [];
  for await (const dirent of await opendir(inFolder(folder, '.'), { bufferSize: READ_AT_ONCE })) {
    throwIfAborted(call);
    seen.count += 1;
    if (seen.count > MAX_ENTRIES)
      throw failure(call, `there are more than ${MAX_ENTRIES} entries; name a folder further down`);
    found.push(dirent);
  }
  return found;
}

/** Protected folders and those outside the grant are not entered. */
function mayEnter(
  dirent: Dirent,
  path: string,
  { recursive, everything, maxDepth, top, onIgnored }: Walking,
  { context }: FileCall,
): boolean {
  if (!recursive || !dirent.isDirectory()) return false;
  if (!everything && neverEntered.has(basename(path))) {
    if (basename(path) === 'node_modules') onIgnored?.(path, true);
    return false;
  }
  if (maxDepth !== undefined && relative(top, path).split(sep).length >= maxDepth) return false;
  return !context.isProtected(path, 'read') && context.isGranted?.(path, 'read') !== false;
}

/** Synchronous: waking another thread for each entry takes several times as long. */
function describe(
  folder: Opened,
  dirent: Dirent,
  { isSized = true }: Walking,
  call: FileCall,
): Entry {
  const { workspace } = call.context;
  const there = inFolder(folder, dirent.name);
  const isInner = dirent.isSymbolicLink() && isInside(workspace, resolveExisting(there));
  const ofFile = dirent.isFile() && isSized ? lstatSync : undefined;
  const look = isInner ? statSync : ofFile;
  const stats = tryOr(() => look?.(there), undefined);
  const isFolder = dirent.isDirectory() || stats?.isDirectory();
  const isFile = look === undefined ? dirent.isFile() : stats?.isFile();
  return {
    path: shownPath(workspace, join(folder.path, dirent.name)),
    kind: isFolder ? 'folder' : isFile ? 'file' : 'other',
    bytes: stats?.isFile() ? stats.size : 0,
  };
}

/** The rules of the folders above the start. None if they ignore the start: then it was named on purpose. */
async function rulesAbove(start: string, call: FileCall): Promise<IgnoreFile[]> {
  const { workspace } = call.context;
  const folders: string[] = [];
  for (let at = start; at !== workspace && isInside(workspace, at); ) {
    at = dirname(at);
    folders.unshift(at);
  }
  let rules: IgnoreFile[] = [];
  for (const path of folders) {
    using folder = await openFolder(path, call).catch(() => undefined);
    if (folder !== undefined) rules = withRulesOf(folder, rules, call);
  }
  return isIgnored(start, true, rules) ? [] : rules;
}

function withRulesOf(folder: Opened, above: readonly IgnoreFile[], call: FileCall): IgnoreFile[] {
  const rules = [...above];
  for (const name of ['.gitignore', '.ignore']) {
    const own = readIgnoreFile(folder.path, inFolder(folder, name));
    if (own) rules.push(own);
    if (own && !areFew(rules)) {
      const shown = shownPath(call.context.workspace, join(folder.path, name));
      const limits = `${MAX_RULES} ignore rules or ${MAX_RULE_CHARS} characters of them`;
      const fix = 'shorten it, or ask with "include_ignored": true';
      throw failure(call, `${shown} exceeds ${limits}; ${fix}`);
    }
  }
  return rules;
}
