import { printable } from '../../contract/text/printable.ts';
import type { Project, ProjectFile } from '../settings.ts';

/** Names the files of the project that are not used; empty if all are. */
export function projectNotices({ files }: Project): string[] {
  const waiting = files.filter(({ state }) => state === 'new' || state === 'changed');
  const unfit = files.filter(({ state }) => state === 'unfit');
  const gone = files.filter(({ state }) => state === 'gone');
  return [
    ...describeFiles(waiting, 'not trusted, so they are ignored. Review them, then trust them.'),
    ...describeFiles(
      unfit,
      "ignored. Links, special files, and files over the limits (size, depth, number) can't be trusted.",
    ),
    ...describeFiles(
      gone,
      'missing since you trusted them. Trust the project again to accept that.',
    ),
  ];
}

function describeFiles(files: readonly ProjectFile[], what: string): string[] {
  if (files.length === 0) return [];
  const names = files
    .slice(0, 5)
    .map(({ path, state }) => printable(state === 'changed' ? `${path} (changed)` : path, 100));
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  return [`Files of this project are ${what} They are: ${names.join(', ')}${more}.`];
}
