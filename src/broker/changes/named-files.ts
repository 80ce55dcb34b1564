import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from '../../contract/operation.ts';
import { compileGlob } from '../../platform/glob.ts';
import { shownCommands } from '../../policy/command-words.ts';
import { isInside, resolveExisting, shownPath } from '../../tools/paths.ts';

/** Paths of a workspace that the words of a command name: absolute, symbolic links resolved. */
export interface NamedPaths {
  /** Regular files. */
  readonly files: readonly string[];
  /** Nothing is there yet. */
  readonly missing: readonly string[];
}

const MAX_FILES = 1_000;
const MAX_CANDIDATES = 5_000;
const MAX_PATTERNS = 20;
const MAX_MISSING = 200;
const MAX_WORD_CHARS = 4_096;

/** Programs that change the content of a folder that they name. */
const treeChangers: ReadonlySet<string> = new Set(['rm', 'mv']);

/**
 * Looks up the words of a command as paths: words, what follows `=` in them, patterns such as `*.md`, the strings of
 * Python code, and folders that `rm` or `mv` names. Paths that are computed at run time are not found.
 *
 * @param all Files of the workspace, absolute: patterns and folders are looked up there.
 */
export function namedPaths(
  command: Command,
  workspace: string,
  all: readonly string[],
): NamedPaths {
  const files = new Set<string>();
  const missing = new Set<string>();
  for (const { path, program } of candidatesOf(command, workspace)) {
    const found = lookUp(path, workspace);
    if (found.kind === 'missing') missing.add(found.path);
    for (const file of filesOf(found, program, all)) files.add(file);
    if (files.size >= MAX_FILES) break;
  }
  for (const file of matchesOf(command, workspace, all)) files.add(file);
  return { files: [...files].slice(0, MAX_FILES), missing: [...missing].slice(0, MAX_MISSING) };
}

function filesOf({ kind, path }: Found, program: string, all: readonly string[]) {
  if (kind === 'file') return [path];
  const isTree = kind === 'folder' && treeChangers.has(program);
  return isTree ? all.filter((file) => isInside(path, file)) : [];
}

interface Found {
  readonly kind: 'file' | 'folder' | 'missing' | 'other';
  readonly path: string;
}

function lookUp(named: string, workspace: string): Found {
  const path = resolveExisting(named);
  if (!isInside(workspace, path) || path === workspace) return { kind: 'other', path };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'missing', path };
    if (stats.isFile()) return { kind: 'file', path };
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

function candidatesOf(command: Command, workspace: string): readonly Candidate[] {
  const inside: Candidate[] = [];
  for (const candidate of wordsAsPaths(command, workspace)) {
    if (isInside(workspace, candidate.path)) inside.push(candidate);
    if (inside.length >= MAX_CANDIDATES) break;
  }
  return inside;
}

function* wordsAsPaths(command: Command, workspace: string): Generator<Candidate> {
  let folder = resolve(workspace, command.cwd);
  const folders = [folder];
  for (const [program = '', ...words] of commandsOf(command)) {
    if (program === 'cd' || program === 'pushd') {
      folder = resolve(folder, words[0] ?? '.');
      folders.push(folder);
    }
    for (const word of [program, ...words].flatMap(partsOf)) {
      for (const base of new Set(folders)) yield { path: resolve(base, word), program };
    }
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

function stringsIn(code: string): string[] {
  const found = code.slice(0, MAX_CODE_CHARS).matchAll(/'([^'\n\\]+)'|"([^"\n\\]+)"/g);
  return [...found].map(([, single, double]) => single ?? double ?? '');
}

function matchesOf(command: Command, workspace: string, all: readonly string[]): string[] {
  const patterns = candidatesOf(command, workspace)
    .filter(({ path }) => /[*?[]/.test(path))
    .slice(0, MAX_PATTERNS)
    .map(({ path }) => compileGlob(shownPath(workspace, path)));
  if (patterns.length === 0) return [];
  return all.filter((file) => patterns.some((matches) => matches(shownPath(workspace, file))));
}
