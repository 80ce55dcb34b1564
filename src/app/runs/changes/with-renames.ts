import { mergeRenames } from '../../../platform/files/merge-renames.ts';
import type { FileDiff } from './diff-run.ts';

/** A changed file; with `from`, one that was renamed. */
export type ShownFile = FileDiff & {
  /** Its path before the run. */
  readonly from?: string;
};

/** The files of a run. A deleted and a created file with the same content are one rename. */
export function withRenames(files: readonly FileDiff[]): readonly ShownFile[] {
  return mergeRenames<FileDiff, ShownFile>(files, {
    gone: (file) => (file.change === 'deleted' ? file.before_sha256 : null),
    made: (file) => (file.change === 'created' ? file.after_sha256 : null),
    merge: renameOf,
  });
}

/** A rename can be undone, and counts as undone, only if both halves can or do. */
function renameOf(from: FileDiff, to: FileDiff): ShownFile {
  const kept = to.undoable ? from : to;
  const { undoable, reason } = kept;
  const now = to.now === 'undone' ? from.now : to.now;
  return { ...to, from: from.path, diff: null, diff_problem: null, undoable, reason, now };
}
