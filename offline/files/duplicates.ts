import type { HandlerContext, Outcome } from '../context.ts';
import { TaskError } from '../task-error.ts';
import { type Listing, readWhole } from './file-tool.ts';

/** Most files that are read to compare them, since the requests of an attempt are limited. */
const MAX_COMPARED = 40;

/**
 * Finds text files with the same content. Files of the same size are read and compared by hash.
 *
 * @throws TaskError `INPUT_TOO_LARGE` if more than 40 files would have to be read.
 */
export async function findDuplicates(
  context: HandlerContext,
  { entries }: Listing,
  place: string,
): Promise<Outcome> {
  const bySize = new Map<number, string[]>();
  for (const { path, kind, bytes } of entries) {
    if (kind === 'file') bySize.set(bytes, [...(bySize.get(bytes) ?? []), path]);
  }
  const alike = [...bySize.values()].filter((paths) => paths.length > 1);
  const total = alike.flat().length;
  if (total > MAX_COMPARED) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${total} files in ${place} are of equal size; at most ${MAX_COMPARED} are compared. Name a folder in it.`,
    );
  }
  // Loaded only when needed: it takes longer to load than most tasks take.
  const { createHash } = await import('node:crypto');
  const byHash = new Map<string, string[]>();
  for (const path of alike.flat()) {
    const { content } = await readWhole(context, path);
    const hash = createHash('sha256').update(content).digest('hex');
    byHash.set(hash, [...(byHash.get(hash) ?? []), path]);
  }
  const groups = [...byHash.values()]
    .filter((paths) => paths.length > 1)
    .map((paths) => paths.sort());
  const lines = groups.map((paths) => `- ${paths.join(' = ')}`);
  const text =
    groups.length === 0
      ? `No two files in ${place} have the same content.`
      : `Files in ${place} with the same content:\n\n${lines.join('\n')}`;
  return {
    text,
    data: {
      count: groups.length,
      columns: ['group', 'path'],
      rows: groups.flatMap((paths, index) => paths.map((path) => [index + 1, path])),
    },
  };
}
