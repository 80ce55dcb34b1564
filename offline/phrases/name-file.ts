import type { HandlerContext } from '../context.ts';
import { listFolder } from '../files/file-tool.ts';
import { type Token, tokenize } from '../language/lexer.ts';
import { nameWords } from '../language/words.ts';
import type { Instruction } from './instruction.ts';

/** Maximum number of entries whose names are compared with words. */
const MAX_FILES = 500;

/** The paths of all files of the workspace; empty if there are more than 500 entries. */
export async function filesIn(context: HandlerContext): Promise<readonly string[]> {
  const { entries } = await listFolder(context, '.', { recursive: true });
  if (entries.length > MAX_FILES) return [];
  return entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
}

/**
 * Replaces the words that mean exactly one file by its path: `the app log` for app.log, `my notes` for notes.md,
 * `the reminder letter` for letters/reminder.txt, `grades.csv` for course/grades.csv. Returns undefined if no file or
 * several files match.
 */
export function withFileNamed(
  paths: readonly string[],
  { task }: Pick<Instruction, 'task'>,
): string | undefined {
  const tokens = tokenize(task);
  for (const length of [3, 2, 1]) {
    const [found, ...others] = tokens.flatMap((first, at) => {
      const part = tokens.slice(at, at + length);
      if (part.length < length) return [];
      return paths
        .filter((path) => isMeant(path, part))
        .map((path) => `${task.slice(0, first.start)}"${path}"${task.slice(part.at(-1)?.end)}`);
    });
    if (found !== undefined) return others.length === 0 ? found : undefined;
  }
  return undefined;
}

/** Whether tokens mean a file: by its name without the folder, or by all words of its name. */
function isMeant(path: string, said: readonly Token[]): boolean {
  const [only, ...others] = said;
  if (only?.kind === 'file' && others.length === 0) return path.endsWith(`/${only.text}`);
  const words = said.map(({ kind, stem }) => (kind === 'word' ? stem.replace('-', '') : '"'));
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(path) ?? [];
  const [stem, ending] = [nameWords(name).slice(0, -1), nameWords(name).slice(-1)];
  const isText = /\.(?:md|txt|markdown)$/i.test(name);
  const nouns = isText ? ['file', 'list', 'document'] : ['file'];
  const near = new Set([...stem, ...ending, ...nameWords(folder), ...nouns]);
  const own = stem.filter((word) => words.includes(word)).length;
  // `the contacts file` means `contacts.csv`, but `contacts` alone does not.
  const isNamed = own === stem.length ? words.length > own || isText : words.includes('file');
  return own > 0 && isNamed && words.every((word) => near.has(word));
}
