import type { HandlerContext } from '../context.ts';
import { globsOfKind } from '../language/file-kinds.ts';
import type { Filled } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
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
    globs: kind === 'glob' ? [below(text.startsWith('.') ? `*${text}` : text)] : ofKind,
    recursive: true,
    isFile: kind === 'file' && !text.endsWith('/') && ofKind === undefined,
  }));
}

/** A kind of file or a word such as *recursively* means the whole tree; a plain folder means its own entries. */
export function scopeOf(filled: Filled, isDeep: boolean): Scope {
  const globs = globsOf(filled);
  const recursive =
    isDeep || filled.has('deep') || (globs?.every((glob) => !glob.includes('/')) ?? false);
  return {
    path: trimmed(filled.text('folder') ?? '.'),
    globs: recursive ? globs?.map(below) : globs,
    recursive,
    isFile: false,
  };
}

function globsOf(filled: Filled): readonly string[] | undefined {
  const [kind, match, start, ending] = ['kind', 'match', 'start', 'ending'].map(filled.text);
  if (kind !== undefined) return globsOfKind(kind);
  if (match !== undefined) return [match.includes('*') ? match : `*${match}*`];
  if (start !== undefined) return [`${start}*`];
  return ending === undefined ? undefined : [`*.${ending.replace(/^\*?\.?/, '')}`];
}

/** @throws TaskError `INPUT_TOO_LARGE` if there are more than one listing can return. */
export async function entriesIn(context: HandlerContext, scope: Scope): Promise<readonly Entry[]> {
  const { entries, truncated, total } = await listFolder(context, scope.path, scope);
  if (!truncated) return entries;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${shownPlace(scope.path)} holds ${total} files; that is more than can be listed at once. Name a folder in it.`,
  );
}

/** Most files that are read for one answer. */
const MAX_READ = 200;

/** Most files that are changed in one step. */
export const MAX_CHANGED = 10;

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
    const entries = scope.isFile ? [scope] : await entriesIn(context, scope);
    const files = entries.filter((entry) => !('kind' in entry) || entry.kind === 'file');
    for (const path of files.map((entry) => entry.path).toSorted()) paths.add(path);
    if (files.length === 0)
      throw new TaskError('NOT_FOUND', `No file was found: ${shownScopes([scope])}.`);
  }
  if (paths.size <= most) return [...paths];
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `There are ${paths.size} files, ${shownScopes(scopes)}; at most ${most} are ${most === MAX_READ ? 'read for one answer' : 'changed in one step'}. Name a folder or fewer files.`,
  );
}
