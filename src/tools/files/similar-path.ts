import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closest } from '../../contract/text/closest.ts';
import { tryOr } from '../../platform/try-or.ts';

/** A folder with more names is not searched. */
const MAX_NAMES = 5_000;

/**
 * An existing path with a name close to a missing one, for "did you mean": the first missing part of the path is replaced
 * by the closest name in its folder. Hidden names are only suggested for hidden names.
 *
 * @param path Absolute.
 */
export function similarPath(path: string): string | undefined {
  const missing = firstMissing(path);
  const name = basename(missing);
  const isHidden = (one: string) => one.startsWith('.');
  const names = namesIn(dirname(missing)).filter((one) => isHidden(one) === isHidden(name));
  const meant = closest(name, names);
  if (meant === undefined) return undefined;
  const similar = join(dirname(missing), meant, path.slice(missing.length));
  return existsSync(similar) ? similar : undefined;
}

function firstMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : firstMissing(parent);
}

function namesIn(folder: string): readonly string[] {
  const names = tryOr(() => readdirSync(folder), []);
  return names.length > MAX_NAMES ? [] : names;
}
