import type { HandlerContext } from '../context.ts';
import { listFolder } from '../files/file-tool.ts';
import { tokenize } from '../language/lexer.ts';
import { nameWords } from '../language/words.ts';

/** Most files whose names are compared with words. */
const MAX_FILES = 500;

/** The paths of all files of the workspace; none if there are more than 500 entries. */
export async function filesIn(context: HandlerContext): Promise<readonly string[]> {
  const { entries } = await listFolder(context, '.', { recursive: true });
  if (entries.length > MAX_FILES) return [];
  return entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
}

/**
 * The task with the name of the one file that some of its words mean: `the app log` for app.log, `my notes` for notes.md.
 * Undefined if no file or several files match.
 */
export function withFileNamed(paths: readonly string[], task: string): string | undefined {
  const tokens = tokenize(task);
  for (const length of [3, 2, 1]) {
    const [found, ...others] = tokens.flatMap((first, at) => {
      const part = tokens.slice(at, at + length);
      const said = part.map(({ kind, stem }) => (kind === 'word' ? stem : '"')).join(' ');
      return paths
        .filter((path) => part.length === length && namesOf(path).includes(said))
        .map((path) => `${task.slice(0, first.start)}"${path}"${task.slice(part.at(-1)?.end)}`);
    });
    if (found !== undefined) return others.length === 0 ? found : undefined;
  }
  return undefined;
}

/** `app log` and, of a text, `note`: how people call app.log and notes.md. */
function namesOf(path: string): readonly string[] {
  const words = nameWords(path.slice(path.lastIndexOf('/') + 1));
  const whole = words.join(' ');
  const stem = words.slice(0, -1).join(' ');
  return /\.(?:md|txt|markdown)$/i.test(path) ? [whole, stem, `${stem} file`] : [whole];
}
