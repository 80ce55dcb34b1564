import type { HandlerContext } from '../context.ts';
import { globsOfKind } from '../language/file-kinds.ts';
import type { Filled } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { type Entry, listFolder } from './file-tool.ts';

/** A file, or files of a folder. */
export interface Scope {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
  readonly recursive: boolean;
  /** Whether it is a single file, by its name. */
  readonly isFile: boolean;
}

/** The name of a folder in messages. */
export const shownPlace = (path: string): string => (path === '.' ? 'the workspace' : path);

/** Scopes in words, for messages. */
export const shownScopes = (scopes: readonly Scope[]): string =>
  scopes
    .map(({ path, globs }) => {
      const which = globs?.map((glob) => glob.replace(/^\*\*\//, '')).join(', ');
      return which === undefined ? shownPlace(path) : `${which} in ${shownPlace(path)}`;
    })
    .join(', ');

const trimmed = (path: string) => path.replace(/(?<=.)\/+$/, '');
const below = (glob: string) => (glob.includes('/') ? glob : `**/${glob}`);

/** The named files of a filled form, or the files of its folder; the whole workspace if it names none. */
export function scopesOf(filled: Filled, isDeep = true): readonly Scope[] {
  const named = filled.tokens('files').filter(({ kind }) => kind === 'file' || kind === 'glob');
  if (named.length === 0) return [scopeOf(filled, isDeep)];
  const ofKind = globsOf(filled)?.map(below);
  return named.map(({ kind, text }) => ({
    path: kind === 'glob' ? '.' : trimmed(text),
    globs: kind === 'glob' ? [below(text.replace(/^\./, '*.'))] : ofKind,
    recursive: true,
    isFile: kind === 'file' && !text.endsWith('/') && ofKind === undefined,
  }));
}

/** A kind of file or a word such as *recursively* means the whole tree; a plain folder means its own entries. */
export function scopeOf(filled: Filled, isDeep: boolean): Scope {
  const globs = globsOf(filled);
  const isTree =
    isDeep || filled.has('deep') || globs?.every((glob) => !glob.includes('/')) === true;
  const path = trimmed(filled.text('folder') || '.');
  return { path, globs: isTree ? globs?.map(below) : globs, recursive: isTree, isFile: false };
}

function globsOf(filled: Filled): readonly string[] | undefined {
  const match = filled.text('match');
  if (filled.has('kind')) return globsOfKind(filled.text('kind'));
  if (match !== '') return [match.includes('*') ? match : `*${match}*`];
  if (filled.has('start')) return [`${filled.text('start')}*`];
  return filled.has('ending') ? [`*.${filled.text('ending').replace(/^\*?\.?/, '')}`] : undefined;
}

/** @throws TaskError `INPUT_TOO_LARGE` if there are more than one listing can return. */
export async function entriesIn(context: HandlerContext, scope: Scope): Promise<readonly Entry[]> {
  const { entries, truncated, total } = await listFolder(context, scope.path, scope);
  if (truncated)
    fail('INPUT_TOO_LARGE', `${shownPlace(scope.path)} holds ${total} files: name a folder in it.`);
  return entries;
}

/** The files of a scope. */
export const filesIn = async (context: HandlerContext, scope: Scope): Promise<readonly Entry[]> =>
  (await entriesIn(context, scope)).filter(({ kind }) => kind === 'file');

/** Most files that are read for one answer, and that are changed in one step. */
export const [MAX_READ, MAX_CHANGED] = [200, 10];

/**
 * The paths of the files of some scopes, each once. Whether named files exist is not checked.
 *
 * @throws TaskError `NOT_FOUND`, or `INPUT_TOO_LARGE` if there are too many.
 */
export async function pathsIn(
  context: HandlerContext,
  scopes: readonly Scope[],
  most = MAX_READ,
): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const scope of scopes) {
    const files: readonly { path: string }[] = scope.isFile
      ? [scope]
      : await filesIn(context, scope);
    for (const path of files.map((file) => file.path).toSorted()) paths.add(path);
    if (files.length === 0) fail('NOT_FOUND', `No file was found: ${shownScopes([scope])}.`);
  }
  if (paths.size > most)
    fail(
      'INPUT_TOO_LARGE',
      `There are ${paths.size} files, ${shownScopes(scopes)}; at most ${most} are taken at once.`,
    );
  return [...paths];
}
