import { readdirSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from '../../../contract/permissions/operation.ts';
import { tryOr } from '../../../platform/try-or.ts';
import { inspectFile, MAX_HASHED_BYTES, sizeAndTime } from '../../../tools/files/path-state.ts';
import type { FileEffect } from '../../intent/record.ts';
import { lookUp, shellGlob, stringsIn, WILDCARD } from './named-files.ts';

const MAX_WORDS = 2_000;
const MAX_WORD_CHARS = 4_096;
const MAX_TEXT_CHARS = 100_000;
const MAX_FILES = 1_000;
const MAX_FOLDERS = 10;
/** Of all files together; the rest is compared by size and time, as is each file over 64 MiB. */
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/**
 * The content of every regular file of the workspace that a command names, as far as its words show it: in its argv, its
 * shell text or the strings of its Python code, as a path, as a part of a word (`--config=x.yaml`, `sh -c 'sh x.sh'`), or by
 * a pattern. A relative path counts in the folder of the command and in each folder that it names.
 *
 * @param workspace Absolute, symbolic links resolved.
 */
export async function namedContent(
  command: Command,
  workspace: string,
): Promise<readonly FileEffect[]> {
  const named: FileEffect[] = [];
  let bytes = 0;
  for (const [path, stats] of filesIn(wordsOf(command), command, workspace)) {
    const isHashed = stats.size <= MAX_HASHED_BYTES && bytes + stats.size <= MAX_TOTAL_BYTES;
    if (isHashed) bytes += stats.size;
    const before = isHashed ? (await inspectFile(path)).state : sizeAndTime(stats);
    named.push({ path, before, after: null, diff: null, isNamed: true });
  }
  return named;
}

type Files = Map<string, Stats>;

function filesIn(words: readonly string[], { cwd }: Command, workspace: string): Files {
  const files: Files = new Map();
  const folders = new Set([resolve(workspace, cwd)]);
  for (const word of words) {
    for (const folder of folders) {
      const paths = WILDCARD.test(word) ? matchesOf(folder, word) : [resolve(folder, word)];
      for (const path of [resolve(folder, word), ...paths])
        look(path, workspace, { files, folders });
    }
  }
  return files;
}

function look(
  named: string,
  workspace: string,
  { files, folders }: { readonly files: Files; readonly folders: Set<string> },
): void {
  const { kind, path, stats } = lookUp(named, workspace);
  if (kind === 'folder' && folders.size < MAX_FOLDERS) folders.add(path);
  if (stats && files.size < MAX_FILES) files.set(path, stats);
}

/** Paths that match a pattern, folder by folder as a shell looks them up. */
function matchesOf(folder: string, pattern: string): readonly string[] {
  let found = [pattern.startsWith('/') ? '/' : folder];
  for (const part of pattern.split('/').filter((one) => one !== '')) {
    found = found
      .flatMap((at) => (WILDCARD.test(part) ? entriesLike(at, part) : [resolve(at, part)]))
      .slice(0, MAX_FILES);
  }
  return found;
}

const entriesLike = (folder: string, pattern: string): readonly string[] =>
  tryOr(() => readdirSync(folder), [])
    .filter(shellGlob(pattern))
    .map((name) => join(folder, name));

function wordsOf(command: Command): readonly string[] {
  const texts = textsOf(command);
  const words = new Set([...texts, ...texts.flatMap(piecesOf)]);
  return [...words]
    .map((word) => word.replace(/^\$\{?PWD\}?\//, './'))
    .filter((word) => word !== '' && word.length <= MAX_WORD_CHARS && !word.includes('\0'))
    .slice(0, MAX_WORDS);
}

function textsOf(command: Command): readonly string[] {
  if (command.kind === 'argv') return command.argv;
  return command.kind === 'shell' ? [command.text] : stringsIn(command.code);
}

/** The words of a text: as a shell splits them, also split at every character that can delimit a path, and after a short option. */
function piecesOf(text: string): readonly string[] {
  const short = text.slice(0, MAX_TEXT_CHARS);
  const quoted = [...short.matchAll(SHELL_WORD)].map(([word]) =>
    word.replace(/\\(.)|["']/gsu, '$1'),
  );
  const plain = [short, ...quoted].flatMap((word) => word.split(/[\s;|&<>(){}`'"=,:@]+/));
  return [...quoted, ...plain].flatMap((word) => [word, word.replace(/^-\w/, '')]);
}

const SHELL_WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&<>(){}`"'\\])+/gsu;
