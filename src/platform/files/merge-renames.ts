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
