import { compileGlob } from '../../glob.ts';

/** What the last rule that speaks of a path says; undefined where none does. */
export type IgnoreAnswer = 'ignored' | 'kept' | undefined;

/** @param path Relative to the folder of the rules, with `/`. */
export type IgnoreTest = (path: string, isFolder: boolean) => IgnoreAnswer;

/**
 * The rules of an ignore file as gitignore(5) has them, in any case of letters. Who wrote the file may be hostile: it is
 * looked through in time that grows no faster than its length.
 */
export function compileIgnoreRules(text: string): IgnoreTest {
  const rules = text
    .split(/\r?\n/)
    .map(compileRule)
    .filter((rule) => rule !== undefined)
    .reverse();
  return (path, isFolder) =>
    rules.find((rule) => (isFolder || !rule.isForFolders) && rule.matches(path))?.answer;
}

interface IgnoreRule {
  readonly answer: IgnoreAnswer;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

function compileRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined;
  const isExclusion = line.startsWith('!');
  const written = withoutBlanks(isExclusion ? line.slice(1) : line);
  const isForFolders = written.endsWith('/');
  const pattern = isForFolders ? written.slice(0, -1) : written;
  if (pattern === '') return undefined;
  const place = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  // Brackets that mean something in a glob mean themselves here; all below a folder is not the folder.
  const glob = place.replace(/[{}()]/g, '\\$&').replace(/\/\*\*$/, '/**/*');
  const answer = isExclusion ? 'kept' : 'ignored';
  return { answer, isForFolders, matches: compileGlob(glob, true) };
}

/** Blanks at the end count only behind a backslash. */
function withoutBlanks(text: string): string {
  const kept = text.trimEnd();
  return kept.endsWith('\\') && kept.length < text.length ? `${kept} ` : kept;
}
