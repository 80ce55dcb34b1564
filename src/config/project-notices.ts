import { printable } from '../contract/text/printable.ts';
import type { Project, ProjectFile } from './settings.ts';

/** What a person is told of the project's files that are not used; nothing where all are. */
export function projectNotices({ files }: Project): string[] {
  const waiting = files.filter(({ state }) => state === 'new' || state === 'changed');
  const unfit = files.filter(({ state }) => state === 'unfit');
  const gone = files.filter(({ state }) => state === 'gone');
  return [
    ...tell(
      waiting,
      'not trusted and ignored. Look at them, then run `capstan config trust` to accept them as they are.',
    ),
    ...tell(
      unfit,
      "ignored: a link, a special file, or one that is too large, too deep or one of too many can't be trusted.",
    ),
    ...tell(gone, 'gone since you trusted them. `capstan config trust` accepts that.'),
  ];
}

function tell(files: readonly ProjectFile[], what: string): string[] {
  if (files.length === 0) return [];
  const names = files
    .slice(0, 5)
    .map(({ path, state }) => printable(state === 'changed' ? `${path} (changed)` : path, 100));
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  return [`Files of this project are ${what} They are: ${names.join(', ')}${more}.`];
}
