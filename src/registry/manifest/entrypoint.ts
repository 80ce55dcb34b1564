import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

/**
 * What is wrong with the argument vector of a capsule, or undefined. It starts with the name of an interpreter or with a
 * path inside the folder, names a file of the folder, and nothing outside it.
 */
export function findEntrypointProblem(dir: string, argv: readonly string[]): string | undefined {
  const [first = ''] = argv;
  const outside = argv.find((word) => isAbsolute(word) || word.split(/[\\/]/).includes('..'));
  if (outside !== undefined) return `"${outside}" is not relative to the capsule's folder`;
  if (argv.some((word) => word.includes('\0'))) return 'a word contains a NUL character';
  if (first.startsWith('-')) return `"${first}" is not a program`;
  const file = argv.find((word) => isFile(join(dir, word)));
  if (file === undefined) return `none of ${JSON.stringify(argv)} is a file of the folder`;
  if (!isInside(dir, join(dir, file))) return `"${file}" is outside the capsule's folder`;
  return undefined;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Whether an existing path, its symbolic links resolved, is in a folder. */
function isInside(dir: string, path: string): boolean {
  return realpathSync(path).startsWith(realpathSync(dir) + sep);
}
