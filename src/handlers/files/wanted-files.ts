import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import type { Filled } from '../instruction/form.ts';
import { globsOfKind } from './file-kinds.ts';
import { type Listing, listFolder } from './file-tool.ts';
import { placeOf, shownPlace } from './place.ts';

function globsOf(filled: Filled): readonly string[] | undefined {
  const kind = filled.word('kind');
  if (kind !== undefined) return globsOfKind(kind);
  const match = filled.atom('match') ?? filled.atom('glob');
  if (match !== undefined) return [match.value.includes('*') ? match.value : `*${match.value}*`];
  const ending = filled.word('ending') ?? filled.atom('endq')?.value;
  return ending === undefined ? undefined : [`*.${ending.replace(/^\*?\.?/, '')}`];
}

/** The files that a filled form means. */
export interface Wanted {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
  readonly recursive: boolean;
}

/** A named kind or a word of depth means the whole tree; a plain folder means what lies in it. */
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

/** @throws TaskError `INPUT_TOO_LARGE` where there are more than can be listed at once. */
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
