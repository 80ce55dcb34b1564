import { lstatSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from '../../../contract/permissions/operation.ts';
import { isInside, shownPath } from '../../../platform/files/inside.ts';
import { compileGlob } from '../../../platform/globs/glob.ts';
import { type ShownCommand, shownCommands } from '../../../policy/rules/command-words.ts';
import { createYielder, type Yielder } from '../../../runtime/sandbox/create-yielder.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import type { GapReason } from '../change-rows.ts';
import {
  isOddName,
  type Snapshot,
  type SnapshotOptions,
  takeSnapshot,
} from './workspace-snapshot.ts';

const MAX_FILES = 1_000;
const MAX_CANDIDATES = 5_000;
const MAX_FOLDERS = 20;
const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 256;
/** Characters of each pattern times files that it is compared with. */
const MAX_MATCH_WORK = 5_000_000;
const MAX_MISSING = 200;
const MAX_WORD_CHARS = 4_096;

/** Programs that remove or move what they name, also a folder with its content. */
export const removers: ReadonlySet<string> = new Set(['rm', 'mv']);

interface Search {
  readonly snapshot: Pick<Snapshot, 'files' | 'ignored'>;
  readonly files: Set<string>;
  readonly missing: Set<string>;
  readonly gaps: Set<GapReason>;
  readonly breath: Yielder;
}

/**
 * Looks up the words of a command as paths: words, the parts after `=` and the quoted strings in them, patterns such as
 * `*.md`, the strings of Python code, and folders that `rm` or `mv` names, with their ignored files. Paths that are computed at run time are
 * not found.
 *
 * @param snapshot The workspace: patterns are looked up in its files.
 * @returns Files and links, and paths that do not exist yet: absolute, symbolic links resolved. `gap` is why paths that the
 *   command names are missing; undefined if the lists are complete.
 */
export async function namedPaths(
  command: Command,
  options: Pick<SnapshotOptions, 'workspace' | 'isProtected'>,
  snapshot: Pick<Snapshot, 'files' | 'ignored'>,
) {
  const [files, missing, gaps] = [new Set<string>(), new Set<string>(), new Set<GapReason>()];
  const search: Search = { snapshot, files, missing, gaps, breath: createYielder() };
  const candidates = candidatesOf(command, options.workspace, search);
  for (const candidate of candidates) {
    if (search.breath.isDue()) await search.breath.take();
    await addNamed(candidate, options, search);
    if (files.size > MAX_FILES) break;
  }
  await addMatches(candidates, options.workspace, search);
  if (files.size > MAX_FILES || missing.size > MAX_MISSING) gaps.add('too_many_files');
  return {
    files: [...files].slice(0, MAX_FILES),
    missing: [...missing].slice(0, MAX_MISSING),
    gap: [...gaps][0],
  };
}

async function addNamed(
  candidate: Candidate,
  options: Pick<SnapshotOptions, 'workspace' | 'isProtected'>,
  search: Search,
): Promise<void> {
  const { kind, path } = lookUp(candidate.path, options.workspace);
  if (kind === 'missing') search.missing.add(path);
  if (kind === 'file') search.files.add(path);
  if (kind !== 'folder') return;
  if (removers.has(candidate.program)) await addFolder(path, options, search);
  else if (path !== options.workspace && hasIgnored(path, search)) search.gaps.add('ignored_files');
}

/** Adds all files of a folder, ignored ones last, since they may exceed the limit. */
async function addFolder(
  folder: string,
  options: Pick<SnapshotOptions, 'isProtected'>,
  { snapshot, files, gaps }: Search,
): Promise<void> {
  const known = [...snapshot.files.keys()].filter((path) => isInside(folder, path));
  const limits = { maxFiles: MAX_FILES + 1, everything: true };
  const found = await takeSnapshot({ ...options, ...limits, workspace: folder });
  const all = [...known, ...found.files.keys()];
  for (const file of all) if (!isOddName(file)) files.add(file);
  if (found.left.size > 0 || all.some(isOddName)) gaps.add('too_many_files');
}

/** Whether the folder is ignored, or something in it. */
const hasIgnored = (folder: string, { snapshot }: Search): boolean =>
  snapshot.ignored.some((path) => isInside(folder, path) || isInside(path, folder));

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
  /** It follows an option such as `--exclude-dir`. */
  readonly isExcluded: boolean;
}

function candidatesOf(command: Command, workspace: string, { gaps }: Search) {
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
  for (const { program, words } of commandsOf(command)) {
    if (program === 'cd' || program === 'pushd') {
      folder = resolve(folder, words[1] ?? '.');
      if (folders.size < MAX_FOLDERS) folders.add(folder);
    }
    for (const { part, isExcluded } of words.flatMap(partsAt)) {
      yield* Array.from(folders, (base) => ({ path: resolve(base, part), program, isExcluded }));
    }
  }
}

const commandsOf = (command: Command): readonly Omit<ShownCommand, 'isGuess'>[] =>
  command.kind === 'python'
    ? [{ program: 'python3', words: ['python3', ...stringsIn(command.code)] }]
    : shownCommands(command);

function partsAt(word: string, at: number, words: readonly string[]) {
  const isExcluded = /^--exclude/.test(word) || /^--exclude[^=]*$/.test(words[at - 1] ?? '');
  return partsOf(word).map((part) => ({ part, isExcluded }));
}

/** A word, what follows the first `=` in it, and its quoted strings: it may be code. */
function partsOf(word: string): string[] {
  const at = word.indexOf('=');
  const parts = [word, ...(at === -1 ? [] : [word.slice(at + 1)]), ...stringsIn(word)];
  return parts.filter((one) => one !== '' && one.length <= MAX_WORD_CHARS && !one.includes('\0'));
}

const MAX_CODE_CHARS = 100_000;

/** The strings in code. */
export function stringsIn(code: string): string[] {
  const found = code.slice(0, MAX_CODE_CHARS).matchAll(/'([^'\n\\]+)'|"([^"\n\\]+)"/g);
  return [...found].map(([, single, double]) => single ?? double ?? '');
}

export const WILDCARD = /[*?[]/;

/** Compiles a pattern of a command. A group in parentheses, which a shell or a program may expand, matches any text. */
export const shellGlob = (pattern: string): ((path: string) => boolean) =>
  compileGlob(pattern.replace(/[@?*+!]?\([^/]*\)/g, '*'));

/** Looks up patterns. One of `rm` and `mv` may also match a folder. */
async function addMatches(
  candidates: readonly Candidate[],
  workspace: string,
  search: Search,
): Promise<void> {
  const { snapshot, gaps } = search;
  const patterns = candidates.filter(({ path }) => WILDCARD.test(path));
  if (patterns.length > MAX_PATTERNS) gaps.add('pattern_limit');
  let work = 0;
  for (const { path, program } of patterns.slice(0, MAX_PATTERNS)) {
    const glob = shownPath(workspace, path);
    const globs = removers.has(program) ? [glob, `${glob}/**`] : [glob];
    work += globs.join('').length * (snapshot.files.size + snapshot.ignored.length);
    if (glob.length > MAX_PATTERN_CHARS || work > MAX_MATCH_WORK) gaps.add('pattern_limit');
    else await addMatch(path, globs, workspace, search);
  }
}

async function addMatch(
  pattern: string,
  globs: readonly string[],
  workspace: string,
  { snapshot, files, gaps, breath }: Search,
): Promise<void> {
  const tests = globs.map(shellGlob);
  const matches = async (path: string) => {
    if (breath.isDue()) await breath.take();
    return tests.some((test) => test(shownPath(workspace, path)));
  };
  for (const path of snapshot.files.keys())
    if ((await matches(path)) && !isOddName(path)) files.add(path);
  for (const path of snapshot.ignored) {
    const kind = (await matches(path)) ? lookUp(path, workspace).kind : 'other';
    if (kind === 'file') files.add(path);
    if (kind === 'folder') gaps.add('ignored_files');
  }
  const folder = dirname(pattern.slice(0, pattern.search(WILDCARD) + 1));
  if (snapshot.ignored.some((path) => isInside(path, folder))) gaps.add('ignored_files');
}
