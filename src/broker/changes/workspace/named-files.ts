import { lstatSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from '../../../contract/permissions/operation.ts';
import { compileGlob } from '../../../platform/globs/glob.ts';
import { shownCommands } from '../../../policy/rules/command-words.ts';
import { createYielder, type Yielder } from '../../../runtime/sandbox/create-yielder.ts';
import { isInside, resolveExisting, shownPath } from '../../../tools/files/paths.ts';
import type { GapReason } from '../change-rows.ts';
import {
  isOddName,
  type Snapshot,
  type SnapshotOptions,
  takeSnapshot,
} from './workspace-snapshot.ts';

/** Paths of a workspace that the words of a command name: absolute, symbolic links resolved. */
export interface NamedPaths {
  /** Files and links. */
  readonly files: readonly string[];
  /** Paths that do not exist yet. */
  readonly missing: readonly string[];
  /** Why paths that the command names are missing; undefined if the list is complete. */
  readonly gap: GapReason | undefined;
}

const MAX_FILES = 1_000;
const MAX_CANDIDATES = 5_000;
const MAX_FOLDERS = 20;
const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 256;
/** Characters of each pattern times files that it is compared with. */
const MAX_MATCH_WORK = 5_000_000;
const MAX_MISSING = 200;
const MAX_WORD_CHARS = 4_096;

/** Programs that change the content of a folder that they name. */
const treeChangers: ReadonlySet<string> = new Set(['rm', 'mv']);

interface Found {
  readonly files: Set<string>;
  readonly missing: Set<string>;
  readonly gaps: Set<GapReason>;
}

/**
 * Looks up the words of a command as paths: words, the parts after `=` in them, patterns such as `*.md`, the strings of
 * Python code, and folders that `rm` or `mv` names, with their ignored files. Paths that are computed at run time are
 * not found.
 *
 * @param snapshot The workspace: patterns are looked up in its files.
 */
export async function namedPaths(
  command: Command,
  options: Pick<SnapshotOptions, 'workspace' | 'isProtected'>,
  snapshot: Pick<Snapshot, 'files' | 'ignored'>,
): Promise<NamedPaths> {
  const found: Found = { files: new Set(), missing: new Set(), gaps: new Set() };
  const breath = createYielder();
  const search: Search = { snapshot, found, breath };
  const candidates = candidatesOf(command, options.workspace, found);
  for (const candidate of candidates) {
    if (breath.isDue()) await breath.take();
    await addNamed(candidate, options, search);
    if (found.files.size > MAX_FILES) break;
  }
  await addMatches(patternsOf(candidates, options.workspace), options.workspace, search);
  if (found.files.size > MAX_FILES || found.missing.size > MAX_MISSING)
    found.gaps.add('too_many_files');
  return {
    files: [...found.files].slice(0, MAX_FILES),
    missing: [...found.missing].slice(0, MAX_MISSING),
    gap: [...found.gaps][0],
  };
}

interface Search {
  readonly snapshot: Pick<Snapshot, 'files' | 'ignored'>;
  readonly found: Found;
  readonly breath: Yielder;
}

async function addNamed(
  candidate: Candidate,
  options: Pick<SnapshotOptions, 'workspace' | 'isProtected'>,
  search: Search,
): Promise<void> {
  const { snapshot, found } = search;
  const { kind, path } = lookUp(candidate.path, options.workspace);
  if (kind === 'missing') found.missing.add(path);
  if (kind === 'file') found.files.add(path);
  if (kind !== 'folder') return;
  if (treeChangers.has(candidate.program)) await addFolder(path, options, search);
  else if (path !== options.workspace && hasIgnored(path, snapshot))
    found.gaps.add('ignored_files');
}

/** Adds all files of a folder, ignored ones last, since they may exceed the limit. */
async function addFolder(
  folder: string,
  options: Pick<SnapshotOptions, 'isProtected'>,
  { snapshot, found }: Search,
): Promise<void> {
  const known = [...snapshot.files.keys()].filter((path) => isInside(folder, path));
  const limits = { maxFiles: MAX_FILES + 1, everything: true };
  const { files, left } = await takeSnapshot({ ...options, ...limits, workspace: folder });
  const all = [...known, ...files.keys()];
  for (const file of all) if (!isOddName(file)) found.files.add(file);
  if (left.size > 0 || all.some(isOddName)) found.gaps.add('too_many_files');
}

/** Whether the folder is ignored, or something in it. */
const hasIgnored = (folder: string, { ignored }: Pick<Snapshot, 'ignored'>): boolean =>
  ignored.some((path) => isInside(folder, path) || isInside(path, folder));

interface LookedUp {
  readonly kind: 'file' | 'folder' | 'missing' | 'other';
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly stats?: Stats;
}

/** Looks up a word as a path of the workspace. `other`: it is outside, or neither a file nor a folder. */
export function lookUp(named: string, workspace: string): LookedUp {
  const path = resolveExisting(named);
  if (!isInside(workspace, path)) return { kind: 'other', path };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'missing', path };
    if (stats.isFile()) return { kind: 'file', path, stats };
    return { kind: stats.isDirectory() ? 'folder' : 'other', path };
  } catch {
    // Most words are not paths: they are too long, or below a file.
    return { kind: 'other', path };
  }
}

interface Candidate {
  /** Absolute; may be a pattern. */
  readonly path: string;
  readonly program: string;
}

function candidatesOf(command: Command, workspace: string, { gaps }: Found): readonly Candidate[] {
  const inside = new Map<string, Candidate>();
  let count = 0;
  for (const candidate of wordsAsPaths(command, workspace)) {
    count += 1;
    if (count > MAX_CANDIDATES) {
      gaps.add('too_many_files');
      break;
    }
    const { path, program } = candidate;
    if (isInside(workspace, path)) inside.set(`${program}\0${path}`, candidate);
  }
  return [...inside.values()];
}

/** The words of a command as absolute paths, whether or not they exist, each with the program that gets it. */
export function* wordsAsPaths(command: Command, workspace: string): Generator<Candidate> {
  let folder = resolve(workspace, command.cwd);
  const folders = new Set([folder]);
  for (const [program = '', ...words] of commandsOf(command)) {
    if (program === 'cd' || program === 'pushd') {
      folder = resolve(folder, words[0] ?? '.');
      if (folders.size < MAX_FOLDERS) folders.add(folder);
    }
    yield* pathsOf(program, words, folders);
  }
}

function* pathsOf(
  program: string,
  words: readonly string[],
  folders: ReadonlySet<string>,
): Generator<Candidate> {
  for (const word of [program, ...words].flatMap(partsOf)) {
    for (const base of folders) yield { path: resolve(base, word), program };
  }
}

const commandsOf = (command: Command): readonly (readonly string[])[] =>
  command.kind === 'python' ? [['python3', ...stringsIn(command.code)]] : shownCommands(command);

/** A word, and what follows the first `=` in it. */
function partsOf(word: string): string[] {
  const at = word.indexOf('=');
  const parts = at === -1 ? [word] : [word, word.slice(at + 1)];
  return parts.filter((one) => one !== '' && one.length <= MAX_WORD_CHARS && !one.includes('\0'));
}

const MAX_CODE_CHARS = 100_000;

/** The strings in Python code. */
export function stringsIn(code: string): string[] {
  const found = code.slice(0, MAX_CODE_CHARS).matchAll(/'([^'\n\\]+)'|"([^"\n\\]+)"/g);
  return [...found].map(([, single, double]) => single ?? double ?? '');
}

interface Pattern {
  /** Relative to the workspace. */
  readonly globs: readonly string[];
  /** Absolute; the folder before the first wildcard. */
  readonly folder: string;
}

/** A pattern of `rm` and `mv` may also match a folder. */
function patternsOf(candidates: readonly Candidate[], workspace: string): readonly Pattern[] {
  const named = candidates.filter(({ path }) => WILDCARD.test(path));
  return named.map(({ path, program }) => {
    const glob = shownPath(workspace, path);
    const folder = dirname(path.slice(0, path.search(WILDCARD) + 1));
    return { globs: treeChangers.has(program) ? [glob, `${glob}/**`] : [glob], folder };
  });
}

export const WILDCARD = /[*?[]/;

async function addMatches(
  patterns: readonly Pattern[],
  workspace: string,
  search: Search,
): Promise<void> {
  const { snapshot, found } = search;
  if (patterns.length > MAX_PATTERNS) found.gaps.add('pattern_limit');
  let work = 0;
  for (const pattern of patterns.slice(0, MAX_PATTERNS)) {
    const chars = pattern.globs.join('').length;
    work += chars * (snapshot.files.size + snapshot.ignored.length);
    const isOver = (pattern.globs[0] ?? '').length > MAX_PATTERN_CHARS || work > MAX_MATCH_WORK;
    if (isOver) found.gaps.add('pattern_limit');
    else await addMatch(pattern, workspace, search);
  }
}

async function addMatch(
  { globs, folder }: Pattern,
  workspace: string,
  { snapshot, found, breath }: Search,
): Promise<void> {
  const tests = globs.map((glob) => compileGlob(glob));
  const matches = (path: string) => tests.some((test) => test(shownPath(workspace, path)));
  for await (const path of filtered([...snapshot.files.keys()], matches, breath))
    if (!isOddName(path)) found.files.add(path);
  for await (const path of filtered(snapshot.ignored, matches, breath))
    addIgnored(path, workspace, found);
  if (snapshot.ignored.some((path) => isInside(path, folder))) found.gaps.add('ignored_files');
}

async function* filtered(
  paths: readonly string[],
  matches: (path: string) => boolean,
  breath: Yielder,
): AsyncGenerator<string> {
  for (const path of paths) {
    if (breath.isDue()) await breath.take();
    if (matches(path)) yield path;
  }
}

function addIgnored(path: string, workspace: string, { files, gaps }: Found): void {
  const { kind } = lookUp(path, workspace);
  if (kind === 'file') files.add(path);
  if (kind === 'folder') gaps.add('ignored_files');
}
