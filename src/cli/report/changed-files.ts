import type { FileDiff, RunDiff } from '../../app/runs/changes/diff-run.ts';
import { type ShownFile, withRenames } from '../../app/runs/changes/with-renames.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { lineCounts } from '../text/change-text.ts';
import { counted } from '../text/format.ts';

/** The changed files of a run, for the end of its output. */
export type RunChanges = Pick<RunDiff, 'files' | 'not_undoable' | 'complete'>;

/** Files that one line names. */
const MAX_NAMED = 5;

/** `changed src/cart.js +1 -1`, `new CHANGELOG.md +4`, `renamed a.md -> b.md`, `and 12 more files`; `nothing changed`. */
export function changedFiles(changes: RunChanges): readonly string[] {
  const effects = changes.not_undoable.length;
  const files = withRenames(changes.files);
  const named = files.length > MAX_NAMED ? files.slice(0, MAX_NAMED - 1) : files;
  const more = files.length - named.length;
  const parts = [
    ...named.map(fileText),
    ...(more > 0 ? [`and ${more} more files`] : []),
    ...(changes.complete
      ? []
      : [`perhaps ${files.length > 0 ? 'more' : 'changed'} files, which were not compared`]),
    ...(effects > 0 ? [`${counted(effects, 'call')} may have effects that cannot be undone`] : []),
  ];
  return parts.length > 0 ? parts : ['nothing changed'];
}

/** `changed src/cart.js +1 -1`, escaped. A new file has no removed lines, and a deleted file no added ones. */
function fileText(file: ShownFile): string {
  const { change, diff } = file;
  const [added, removed] = diff === null ? [] : lineCounts(diff).split(' ');
  const counts = { created: [added], deleted: [removed], changed: [added, removed] }[change];
  const shown = counts.filter((count) => count !== undefined);
  return [changeWord(file), escapeText(fileName(file)), ...shown].join(' ');
}

/** The word for what happened to a file, and its name: `renamed a.txt -> b.txt`. Not escaped. */
export const fileName = ({ from, path }: ShownFile): string =>
  from === undefined ? path : `${from} -> ${path}`;

/** `new`, `changed`, `deleted` or `renamed`. */
export const changeWord = ({ from, change }: ShownFile): string =>
  from === undefined ? changeWords[change] : 'renamed';

const changeWords: Readonly<Record<FileDiff['change'], string>> = {
  created: 'new',
  changed: 'changed',
  deleted: 'deleted',
};
