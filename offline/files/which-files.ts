import type { HandlerContext } from '../context.ts';
import { globsOfKind } from '../language/file-kinds.ts';
import type { Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { type Entry, listFolder } from './file-tool.ts';

/** A file, or the files of a folder. */
export interface Scope {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
  readonly recursive: boolean;
  /** Whether `path` names a single file. */
  readonly isFile: boolean;
}

/** The name of a folder in messages. */
export const shownPlace = (path: string): string => (path === '.' ? 'the workspace' : path);

/** Describes scopes in messages. */
export const shownScopes = (scopes: readonly Scope[]): string =>
  scopes
    .map(({ path, globs }) => {
      const which = globs?.map((glob) => glob.replace(/^\*\*\//, '')).join(', ');
      return which === undefined ? shownPlace(path) : `${which} in ${shownPlace(path)}`;
    })
    .join(', ');

const trimmed = (path: string) => path.replace(/(?<=.)\/+$/, '');
const below = (glob: string) => (glob.includes('/') ? glob : `**/${glob}`);

/** The named files of a step, or the files of its folder; the whole workspace if it names none. */
export function scopesOf(step: Step, isDeep = true): readonly Scope[] {
  const named = step.tokens('files').filter(({ kind }) => kind === 'file' || kind === 'glob');
  const folders = step.tokens('dirs').map(({ text }) => text);
  if (folders.length > 0)
    return folders.map((path) => ({ path, globs: undefined, recursive: true, isFile: false }));
  if (named.length === 0) return [scopeOf(step, isDeep)];
  const ofKind = globsOf(step)?.map(below);
  return named.map(({ kind, text }) => ({
    path: kind === 'glob' ? '.' : trimmed(text),
    globs: kind === 'glob' ? [below(text.replace(/^\./, '*.'))] : ofKind,
    recursive: true,
    isFile: kind === 'file' && !text.endsWith('/') && ofKind === undefined,
  }));
}

/** The folder of a step. A kind of file or a word such as *recursively* includes subfolders; a plain folder does not. */
export function scopeOf(step: Step, isDeep: boolean): Scope {
  const globs = globsOf(step);
  const isTree = isDeep || step.has('deep') || globs?.every((glob) => !glob.includes('/')) === true;
  const path = trimmed(step.text('folder') || '.');
  return { path, globs: isTree ? globs?.map(below) : globs, recursive: isTree, isFile: false };
}

function globsOf(step: Step): readonly string[] | undefined {
  const match = step.text('match');
  if (step.has('kind')) return globsOfKind(step.text('kind'));
  if (match !== '') return [match.includes('*') ? match : `*${match}*`];
  if (step.has('start')) return [`${step.text('start')}*`];
  return step.has('ending') ? [`*.${step.text('ending').replace(/^\*?\.?/, '')}`] : undefined;
}

/** The entries of a scope. @throws TaskError `INPUT_TOO_LARGE` if there are more than one listing can return. */
export async function entriesIn(context: HandlerContext, scope: Scope): Promise<readonly Entry[]> {
  const { entries, truncated, files } = await listFolder(context, scope.path, scope);
  if (!truncated) return entries;
  const all = `There are ${files} files (${shownScopes([scope])})`;
  fail('INPUT_TOO_LARGE', `${all}. Only ${entries.length} can be listed: name a folder in it.`);
}

/** Maximum number of files that are read for one answer, and changed by one step. */
export const [MAX_READ, MAX_CHANGED] = [200, 10];

/** The only entry of a scope that is a file without a dot in its name, such as a Makefile. @throws Any other error */
const asFile =
  ({ path }: Scope) =>
  (error: Error): readonly Entry[] => {
    if (!error.message.includes('is not a folder')) throw error;
    return [{ path, kind: 'file', bytes: 0 }];
  };

/** The paths of all files of the scopes, each once. Named files may not exist. @throws TaskError `NOT_FOUND`, `INPUT_TOO_LARGE` */
export async function pathsIn(
  context: HandlerContext,
  scopes: readonly Scope[],
  maxPaths = MAX_READ,
): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const scope of scopes) {
    const entries = scope.isFile ? [] : await entriesIn(context, scope).catch(asFile(scope));
    const files = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
    const found = scope.isFile ? [scope.path] : files.toSorted();
    if (found.length === 0) fail('NOT_FOUND', `No files found: ${shownScopes([scope])}.`);
    for (const path of found) paths.add(path);
  }
  const all = `There are ${paths.size} files, ${shownScopes(scopes)}`;
  if (paths.size > maxPaths)
    fail('INPUT_TOO_LARGE', `${all}. At most ${maxPaths} are allowed: name some of them.`);
  return [...paths];
}
