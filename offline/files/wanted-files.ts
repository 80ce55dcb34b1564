import type { HandlerContext } from '../context.ts';
import { globsOfKind } from '../language/file-kinds.ts';
import type { Filled } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { type Listing, listFolder } from './file-tool.ts';

/** The files of a filled form. */
export interface Wanted {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
  readonly recursive: boolean;
}

/** The folder of a filled form; `.` is the workspace. */
export const placeOf = (filled: Filled): string =>
  (filled.text('folder') ?? '.').replace(/(?<=.)\/+$/, '');

/** The name of a folder in messages. */
export const shownPlace = (path: string): string => (path === '.' ? 'the workspace' : path);

function globsOf(filled: Filled): readonly string[] | undefined {
  const kind = filled.text('kind');
  if (kind !== undefined) return globsOfKind(kind);
  const match = filled.text('match');
  if (match !== undefined) return [match.includes('*') ? match : `*${match}*`];
  const start = filled.text('start');
  if (start !== undefined) return [`${start}*`];
  const ending = filled.text('ending');
  return ending === undefined ? undefined : [`*.${ending.replace(/^\*?\.?/, '')}`];
}

/** A kind of file or a word such as *recursively* means the whole tree; a plain folder means its own entries. */
export function wantedOf(filled: Filled, isDeep: boolean): Wanted {
  const globs = globsOf(filled);
  const recursive =
    isDeep ||
    filled.word('deep') !== undefined ||
    (globs !== undefined && !globs.some((glob) => glob.includes('/')));
  return {
    path: placeOf(filled),
    globs: globs?.map((glob) => (recursive && !glob.includes('/') ? `**/${glob}` : glob)),
    recursive,
  };
}

/** The files in words, for messages. */
export const shownWanted = ({ path, globs }: Pick<Wanted, 'path' | 'globs'>): string =>
  `${globs === undefined ? '' : `${globs.map((glob) => glob.replace(/^\*\*\//, '')).join(', ')} in `}${shownPlace(path)}`;

/** @throws TaskError `INPUT_TOO_LARGE` if there are more than one listing can return. */
export async function listed(
  context: HandlerContext,
  { path, globs, recursive }: Wanted,
): Promise<Listing> {
  const listing = await listFolder(context, path, { globs, recursive });
  if (!listing.truncated) return listing;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${shownPlace(path)} holds ${listing.total} files; that is more than can be listed at once. Name a folder in it.`,
  );
}

/** Most files that are read for one answer. */
const MAX_READ = 200;

/**
 * The paths of the files of a form, sorted.
 *
 * @throws TaskError `NOT_FOUND`, or `INPUT_TOO_LARGE` over 200.
 */
export async function pathsOf(context: HandlerContext, wanted: Wanted): Promise<readonly string[]> {
  const { entries } = await listed(context, wanted);
  const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const which = shownWanted(wanted);
  if (paths.length === 0) throw new TaskError('NOT_FOUND', `There is no ${which}.`);
  if (paths.length > MAX_READ)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `There are ${paths.length} files ${which}; at most ${MAX_READ} are read for one answer. Name a folder.`,
    );
  return paths.toSorted();
}
