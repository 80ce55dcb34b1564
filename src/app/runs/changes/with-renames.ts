import type { FileDiff } from './diff-run.ts';

/** A changed file; with `from`, one that was renamed. */
export type ShownFile = FileDiff & {
  /** Its path before the run. */
  readonly from?: string;
};

/** The files of a run. A deleted and a created file with the same content are one rename. */
export function withRenames(files: readonly FileDiff[]): readonly ShownFile[] {
  const gone = files.filter((one) => one.change === 'deleted' && one.before_sha256 !== null);
  const froms = new Map<FileDiff, FileDiff>();
  for (const file of files) {
    if (file.change !== 'created' || file.after_sha256 === null) continue;
    const at = gone.findIndex((one) => one.before_sha256 === file.after_sha256);
    const [from] = at < 0 ? [] : gone.splice(at, 1);
    if (from) froms.set(file, from);
  }
  const renamed = new Set(froms.values());
  return files
    .filter((file) => !renamed.has(file))
    .map((file) => {
      const from = froms.get(file);
      return from ? renameOf(from, file) : file;
    });
}

/** A rename can be undone only if both halves can. */
function renameOf(from: FileDiff, to: FileDiff): ShownFile {
  const kept = to.undoable ? from : to;
  const { undoable, reason } = kept;
  return { ...to, from: from.path, diff: null, diff_problem: null, undoable, reason };
}
