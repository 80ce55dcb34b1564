/** A test for paths relative to a folder, with `/`. A glob without `/` speaks for names at any depth, as in ignore files. */
export async function globMatcher(
  globs: readonly string[] | undefined,
): Promise<(path: string) => boolean> {
  if (globs === undefined || globs.length === 0) return () => true;
  const { default: picomatch } = await import('picomatch');
  const matchers = globs.map((glob) =>
    picomatch(glob.replace(/^\.\//, ''), {
      dot: true,
      basename: !glob.includes('/'),
      nonegate: true,
    }),
  );
  return (path) => matchers.some((matches) => matches(path));
}

/** True where a glob reaches below the folder itself. */
export const goesDeep = (globs: readonly string[] | undefined): boolean =>
  globs?.some((glob) => glob.replace(/^\.\//, '').includes('/')) ?? false;
