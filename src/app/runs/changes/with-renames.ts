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

interface Renames<File, Shown> {
  /** The hash of a file that is deleted; null for another one. */
  readonly gone: (file: File) => string | null;
  /** The hash of a file that is created; null for another one. */
  readonly made: (file: File) => string | null;
  readonly merge: (from: File, to: File) => Shown;
}

/** Replaces a deleted and a created file with the same content by one. */
export function mergeRenames<File extends Shown, Shown>(
  files: readonly File[],
  { gone, made, merge }: Renames<File, Shown>,
): readonly Shown[] {
  const left = files.filter((one) => gone(one) !== null);
  const froms = new Map<File, File>();
  for (const file of files) {
    const hash = made(file);
    const at = hash === null ? -1 : left.findIndex((one) => gone(one) === hash);
    const [from] = at < 0 ? [] : left.splice(at, 1);
    if (from) froms.set(file, from);
  }
  const renamed = new Set(froms.values());
  return files
    .filter((file) => !renamed.has(file))
    .map((file) => {
      const from = froms.get(file);
      return from ? merge(from, file) : file;
    });
}

/** A rename can be undone, and counts as undone, only if both halves can or do. */
function renameOf(from: FileDiff, to: FileDiff): ShownFile {
  const kept = to.undoable ? from : to;
  const { undoable, reason } = kept;
  const now = to.now === 'undone' ? from.now : to.now;
  return { ...to, from: from.path, diff: null, diff_problem: null, undoable, reason, now };
}
