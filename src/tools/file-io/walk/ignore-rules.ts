import { relative, sep } from 'node:path';
import { readPlainFile } from '../../../platform/files/plain-file.ts';
import { compileGlob } from '../../../platform/globs/glob.ts';

/** The decision of the last rule that matches a path; undefined if none does. */
type IgnoreAnswer = 'ignored' | 'kept' | undefined;

/** @param path Relative to the folder of the rules, with `/`. */
type IgnoreTest = (path: string, isFolder: boolean) => IgnoreAnswer;

/** The rules of one `.gitignore` or `.ignore` file. */
export interface IgnoreFile {
  /** Absolute. */
  readonly folder: string;
  readonly lines: readonly string[];
  readonly test: IgnoreTest;
}

/** A longer ignore file has no rules. */
const MAX_FILE_BYTES = 256 * 1024;

/** Limits of the rules that apply to one folder: each entry is compared with all of them. */
export const MAX_RULES = 2_000;
export const MAX_RULE_CHARS = 64 * 1024;

/** Whether rules are within the limits of one folder. */
export function areFew(files: readonly IgnoreFile[]): boolean {
  const lines = files.flatMap((file) => file.lines);
  const chars = lines.reduce((sum, { length }) => sum + length, 0);
  return lines.length <= MAX_RULES && chars <= MAX_RULE_CHARS;
}

/**
 * Reads the ignore file with this name in a folder; undefined if there are no rules.
 *
 * @param folder Absolute. @param at The path of the file for system calls.
 */
export function readIgnoreFile(folder: string, at: string): IgnoreFile | undefined {
  const lines = ignoreLines(`${readPlainFile(at, MAX_FILE_BYTES) ?? ''}`);
  return lines.length === 0 ? undefined : { folder, lines, test: compileIgnoreRules(lines) };
}

/** Whether a path (absolute) is ignored by rules, those of outer folders first. */
export function isIgnored(path: string, isFolder: boolean, files: readonly IgnoreFile[]): boolean {
  let ignored = false;
  for (const { folder, test } of files) {
    const answer = test(relative(folder, path).split(sep).join('/'), isFolder);
    if (answer !== undefined) ignored = answer === 'ignored';
  }
  return ignored;
}

/** `PATH_MAX`: longer lines match nothing. */
const MAX_CHARS = 4_096;

/** The rules of an ignore file, without duplicates: the last of equal ones counts. */
export function ignoreLines(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const said = lines.filter(
    (line) => !line.startsWith('#') && line.trim() !== '' && line.length <= MAX_CHARS,
  );
  return [...new Set(said.reverse())].reverse();
}

/** Compiles the rules of an ignore file (gitignore(5)), ignoring case. Takes linear time: the file may be hostile. */
export function compileIgnoreRules(lines: readonly string[]): IgnoreTest {
  const rules = lines
    .map(compileRule)
    .filter((rule) => rule !== undefined)
    .reverse();
  return (path, isFolder) =>
    rules.find((rule) => (isFolder || !rule.isForFolders) && rule.matches(path))?.answer;
}

/** Character classes of fnmatch(3) in the "C" locale. */
const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: ' \t',
  digit: '0-9',
  lower: 'a-z',
  punct: ':-@[-`{-~!-.',
  space: ' \t-\r',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

function compileRule(line: string) {
  const isExclusion = line.startsWith('!');
  const written = withoutBlanks(isExclusion ? line.slice(1) : line);
  const isForFolders = written.endsWith('/');
  const pattern = isForFolders ? written.slice(0, -1) : written;
  if (pattern === '') return undefined;
  const place = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  // Braces and parentheses are plain characters here. `a/**` does not match `a`.
  const glob = place
    .replace(
      /(?<=\[(?:[^\]]|:\])*)\[:([a-z]+):\]/g,
      (whole, name) => (Object.hasOwn(classes, name) && classes[name]) || whole,
    )
    .replace(/\\.|[{}()]/g, (one) => (one.length > 1 ? one : `\\${one}`))
    .replace(/\/\*\*$/, '/**/*');
  const answer: IgnoreAnswer = isExclusion ? 'kept' : 'ignored';
  return { answer, isForFolders, matches: compileGlob(glob, true) };
}

/** Removes trailing blanks that are not escaped. */
function withoutBlanks(text: string): string {
  const kept = text.trimEnd();
  return kept.endsWith('\\') && kept.length < text.length ? `${kept} ` : kept;
}
