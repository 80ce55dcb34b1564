import { posix } from 'node:path';
import { compileGlob } from '../../../platform/globs/glob.ts';

/** Matches paths relative to a folder, with `/`. A glob without `/` matches names at any depth, as in ignore files. */
export function globMatcher(globs: readonly string[] | undefined): (path: string) => boolean {
  if (globs === undefined || globs.length === 0) return () => true;
  const matchers = globs.map((glob) => {
    const matches = compileGlob(glob);
    return glob.replace(/^\.\//, '').includes('/')
      ? matches
      : (path: string) => matches(posix.basename(path));
  });
  return (path) => matchers.some((matches) => matches(path));
}

/** Whether a glob matches below the folder itself. */
export const goesDeep = (globs: readonly string[] | undefined): boolean =>
  globs?.some((glob) => glob.replace(/^\.\//, '').includes('/')) ?? false;
