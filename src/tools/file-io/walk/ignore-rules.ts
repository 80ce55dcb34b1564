import { compileGlob } from '../../../platform/glob.ts';

/** What the last rule that speaks of a path says; undefined where none does. */
export type IgnoreAnswer = 'ignored' | 'kept' | undefined;

/** @param path Relative to the folder of the rules, with `/`. */
export type IgnoreTest = (path: string, isFolder: boolean) => IgnoreAnswer;

/** No path is longer (path_resolution(7), `PATH_MAX`). */
const MAX_CHARS = 4_096;

/** The lines of an ignore file that can say something, each once: the last of equal ones decides. */
export function ignoreLines(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const said = lines.filter(
    (line) => !line.startsWith('#') && line.trim() !== '' && line.length <= MAX_CHARS,
  );
  return [...new Set(said.reverse())].reverse();
}

/**
 * The rules of an ignore file as gitignore(5) has them, in any case of letters. Who wrote the file may be hostile: a line
 * is looked through in time that grows no faster than its length.
 */
export function compileIgnoreRules(lines: readonly string[]): IgnoreTest {
  const rules = lines
    .map(compileRule)
    .filter((rule) => rule !== undefined)
    .reverse();
  return (path, isFolder) =>
    rules.find((rule) => (isFolder || !rule.isForFolders) && rule.matches(path))?.answer;
}

/** See fnmatch(3): those of the "C" locale. */
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

interface IgnoreRule {
  readonly answer: IgnoreAnswer;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

function compileRule(line: string): IgnoreRule | undefined {
  const isExclusion = line.startsWith('!');
  const written = withoutBlanks(isExclusion ? line.slice(1) : line);
  const isForFolders = written.endsWith('/');
  const pattern = isForFolders ? written.slice(0, -1) : written;
  if (pattern === '') return undefined;
  const place = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  // Brackets that mean something in a glob mean themselves here; all below a folder is not the folder.
  const glob = place
    .replace(
      /(?<=\[(?:[^\]]|:\])*)\[:([a-z]+):\]/g,
      (whole, name) => (Object.hasOwn(classes, name) && classes[name]) || whole,
    )
    .replace(/\\.|[{}()]/g, (one) => (one.length > 1 ? one : `\\${one}`))
    .replace(/\/\*\*$/, '/**/*');
  const answer = isExclusion ? 'kept' : 'ignored';
  return { answer, isForFolders, matches: compileGlob(glob, true) };
}

/** Blanks at the end count only behind a backslash. */
function withoutBlanks(text: string): string {
  const kept = text.trimEnd();
  return kept.endsWith('\\') && kept.length < text.length ? `${kept} ` : kept;
}
